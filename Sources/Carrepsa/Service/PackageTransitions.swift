import Accounts
import Kernel
import Ledger
import Notifications
import Pictures
import Storage

/// Applies transitions of ``DeliveryLifeCycle`` to packages: state, money, history, events and notifications together,
/// in the caller's transaction.
struct PackageTransitions: Sendable {
    let ledger: Ledger
    let currency: Currency
    let notifier: PackageNotifier
    let areas: HiddenAreas
    let acceptances: AcceptanceLimiter

    private static let edits = Throttle(
        scope: "offer edit", limit: Limits.offerEdits, windowSeconds: Limits.offerEditSeconds)

    // MARK: Creation

    /// Inserts a package with its escrow account and puts the reward there.
    /// - Throws: `AppError`: `insufficientFunds` at `reward`; `invalid` at `deadline` and `pictureId`.
    func create(
        _ new: StoredPackage, _ draft: PackageDraft, transfer: ID<Transfer>, now: Instant, in tx: Transaction
    ) throws -> NamedPackage {
        guard let transition = DeliveryLifeCycle.transition(nil, .create, .owner), let owner = new.owner else {
            throw AppError.notFound
        }
        try draft.checkDeadline(now: now)
        if let picture = new.pictureID { try PictureLibrary.requireOwned(picture, by: owner, in: tx) }
        var package = new
        package.isRewardHeld = true
        package.route = try areas.placed(draft.route, of: owner, now: now, in: tx)
        let entry = PackageHistoryRow(
            package, transition.action.rawValue, role: .owner, by: owner, note: nil, now: now)
        try PackageStore.insert(package, from: draft.from, to: draft.to, history: entry, in: tx)
        var ownerName: String?
        try PeopleStore.nameLater(of: owner, in: tx) { ownerName = $0 }
        try ledger.open(CarrepsaLedgerAccounts.escrow(package.id), unit: currency.code, now: now, in: tx)
        try CarrepsaEvents.publish(transition, from: new, to: package, now: now, in: tx)
        try notifier.notify(of: transition, from: new, to: package, by: owner, names: [:], now: now, in: tx)
        // Last, because posting locks the wallet until the commit.
        try post(transition, of: new, carrier: nil, transfer: transfer, now: now, in: tx)
        try tx.useLaterRows()
        return NamedPackage(package, ownerName: ownerName)
    }

    // MARK: Commands

    /// Locks the package, finds the transition of the command and applies it.
    /// - Throws: `AppError` if there is no such transition, a condition doesn't hold, or a balance is too small.
    func apply(_ command: PackageCommand, in tx: Transaction) throws -> NamedPackage {
        let initiator = command.initiator.person
        guard let locked = try PackageList.lockWithInitiatorName(command.package, initiator: initiator, in: tx) else {
            throw AppError.notFound
        }
        var named = locked.package
        var names = named.names
        if let initiator { names[initiator] = locked.initiatorName }
        var package = named.stored
        // Consistent with reading: a withdrawn package is not found, for every person and every action.
        guard package.withdrawnAt == nil else { throw AppError.notFound }
        if command.action != .expire, package.isOverdue(command.now) {
            guard let expiry = DeliveryLifeCycle.transition(package.state, .expire, .clock) else {
                throw AppError.notFound
            }
            package = try apply(
                expiry, to: package, by: PackageCommand(.expire, following: command), names: names,
                transfer: command.refund, in: tx)
        }
        let transition = try transition(for: command, on: package, in: tx)
        // Checked last, so that an impossible action gets its specific error.
        if let ifVersion = command.ifVersion, ifVersion != package.version { throw AppError(.conflict, .stateMovedOn) }
        if transition.action == .accept, command.ifVersion == nil,
            try PackageHistoryStore.count(.edit, of: package.id, since: package.createdAt, in: tx) > 0
        {
            throw AppError(.conflict, .offerEdited, status: AppError.preconditionRequired)
        }
        if command.needsVersion, command.ifVersion == nil { throw AppError(.conflict, .versionMissing) }
        try acceptances.count(transition, of: package.id, by: initiator, now: command.now, in: tx)
        var after =
            command.action == .edit
            ? try edit(package, transition, command, in: tx)
            : try apply(transition, to: package, by: command, names: names, transfer: command.transfer, in: tx)
        if let photo = command.photo, let initiator {
            try PictureLibrary.requireOwned(photo.picture, by: initiator, in: tx)
            try ProofStore.insert(
                photo.picture, step: transition.state == .accepted ? .pickup : .delivery, of: after.id,
                number: after.version, in: tx)
        }
        // Owner and carrier accepted a decision, or it follows an appeal.
        if let action = after.dispute?.actionInEffect(command.now),
            let enforcement = DeliveryLifeCycle.transition(after.state, action, .clock)
        {
            after = try apply(
                enforcement, to: after, by: PackageCommand(action, following: command), names: names,
                transfer: command.settlement, in: tx)
        }
        var carrierName = after.carrier == initiator ? locked.initiatorName : named.carrier?.name
        // On PostgreSQL, the join gives no name if the carrier changed while the query waited for the lock.
        if carrierName == nil, let carrier = after.carrier { carrierName = try PeopleStore.name(of: carrier, in: tx) }
        named.replace(with: after, carrierName: carrierName)
        return named
    }

    private func transition(
        for command: PackageCommand, on package: StoredPackage, in tx: Transaction
    ) throws -> Transition {
        let role = try role(of: command, on: package, in: tx)
        var action = command.action
        if action == .requestCancellation, let by = package.cancellationRequestedBy, by != role {
            action = .agreeCancellation
        }
        if action == .retractSplit, let offer = package.dispute?.offer, offer.by != role { action = .declineSplit }
        guard let transition = DeliveryLifeCycle.transition(package.state, action, role) else {
            throw DeliveryLifeCycle.error(of: action, to: role, on: package)
        }
        if transition.conditions.contains(.code), command.proof?.code == nil {
            throw AppError(.invalid, .codeMissing, field: "code")
        }
        if let obstacle = transition.obstacle(for: package, role: role, now: command.now) {
            throw AppError(.conflict, obstacle.message)
        }
        if transition.action == .accept, let owner = package.owner, let person = command.initiator.person {
            try BlockStore.check(owner, person, error: AppError(.conflict, .acceptanceBlocked), in: tx)
        }
        if action.needsSplit { try package.check(command.split) }
        return transition
    }

    private func role(of command: PackageCommand, on package: StoredPackage, in tx: Transaction) throws -> PackageRole {
        let person: PersonID
        switch command.initiator {
        case .clock: return .clock
        case .recipient: return .recipient
        case .person(let id): person = id
        }
        let role = package.role(of: person)
        guard command.action.decision != nil else { return role }
        guard try PeopleStore.isOperator(person, in: tx) else { throw AppError(.forbidden, .operatorsOnly) }
        guard role == .stranger else { throw AppError(.forbidden, .roleMayNot) }
        guard try DisputeStore.mayDecide(person, package, in: tx) else {
            throw AppError(.forbidden, package.dispute?.decision?.by == person ? .anotherDecides : .hasPart)
        }
        return .operator
    }

    private func apply(
        _ transition: Transition, to package: StoredPackage, by command: PackageCommand, names: [PersonID: String],
        transfer: ID<Transfer>, in tx: Transaction
    ) throws -> StoredPackage {
        let (person, now) = (command.initiator.person, command.now)
        let after = transition.applied(
            to: package, by: person, note: command.note, kind: command.disputeKind, split: command.split, now: now)
        let entry = PackageHistoryRow(
            after, transition.action.rawValue, role: transition.role, by: person, note: command.note,
            split: command.split, digest: command.historyDigest(of: transition), now: now)
        try PackageStore.update(after, history: entry, in: tx)
        if let sealed = entry.sealed { try EvidenceLedger(ledger: ledger).seal(sealed, now: now, in: tx) }
        if transition.next.isFinished, after.hasRecipient {
            try RecipientStore.close(of: after.id, at: now.adding(seconds: Limits.recipientPageSeconds), in: tx)
        }
        if transition.next == .available {
            try HandoverStore.deleteAll(of: package.id, in: tx)
            // The former carrier's meeting isn't the next one's.
            if package.carrier != nil, after.hasRecipient {
                try RecipientStore.clearMeeting(of: package.id, now: now, in: tx)
            }
        }
        try CarrepsaEvents.publish(transition, from: package, to: after, now: now, in: tx)
        try notifier.notify(
            of: transition, from: package, to: after, by: person, names: names, now: now, in: tx)
        if transition.action == .dispute {
            try MessageNotifier().notify(ofDisputeAbout: after, now: now, in: tx)
        }
        // Last, because posting locks the wallets until the commit.
        try post(
            transition, of: package, carrier: after.carrier ?? package.carrier, transfer: transfer, now: now, in: tx)
        return after
    }

    /// Replaces the terms of an offer. One transfer puts the difference of the rewards into escrow or returns it.
    private func edit(
        _ package: StoredPackage, _ transition: Transition, _ command: PackageCommand, in tx: Transaction
    ) throws -> StoredPackage {
        guard let terms = command.terms, let owner = package.owner else { throw AppError.notFound }
        try Self.edits.count(owner.description, .editsThrottled, now: command.now, in: tx)
        try terms.checkDeadline(now: command.now)
        if let picture = terms.pictureID, picture != package.pictureID {
            try PictureLibrary.requireOwned(picture, by: owner, in: tx)
        }
        var after = transition.applied(to: package, by: owner, note: nil, now: command.now)
        after.replaceTerms(
            by: terms, route: try areas.placed(terms.route, of: owner, now: command.now, in: tx))
        let entry = PackageHistoryRow(
            after, transition.action.rawValue, role: transition.role, by: owner, note: nil, now: command.now)
        try PackageStore.update(after, history: entry, in: tx)
        try PackageStore.updateTerms(after, from: terms.from, to: terms.to, in: tx)
        try CarrepsaEvents.publish(transition, from: package, to: after, now: command.now, in: tx)
        let difference = after.reward - (package.isRewardHeld ? package.reward : 0)
        guard difference != 0 else { return after }
        let (wallet, escrow) = (CarrepsaLedgerAccounts.wallet(owner), CarrepsaLedgerAccounts.escrow(package.id))
        if package.isRewardHeld { try tx.publish(CarrepsaEvents.wallet(of: owner, now: command.now)) }
        let isRaised = difference > 0
        let payment = PaidAmount(
            money: .reward, from: isRaised ? .owner : .escrow, to: isRaised ? .escrow : .owner,
            amount: abs(difference))
        let parts = try WelcomeMoney(ledger: ledger, currency: currency).legs(
            of: [payment], package.id, owner: owner, carrier: nil, now: command.now, in: tx)
        let transfer = Transfer(
            id: command.transfer, kind: TransferKind(.edit).rawValue, subject: package.id.description,
            at: command.now,
            legs: [Leg(account: wallet, amount: -difference), Leg(account: escrow, amount: difference)] + parts)
        do {
            // Last, because posting locks the wallet until the commit.
            try ledger.post(transfer, in: tx)
        } catch LedgerError.insufficientFunds {
            throw AppError(.insufficientFunds, .rewardAboveBalance, field: "reward")
        }
        return after
    }

    // MARK: Money

    private func post(
        _ transition: Transition, of package: StoredPackage, carrier: PersonID?, transfer: ID<Transfer>, now: Instant,
        in tx: Transaction
    ) throws {
        guard let transfer = transition.transfer(transfer, for: package, carrier: carrier, now: now) else { return }
        let parts = try WelcomeMoney(ledger: ledger, currency: currency).legs(
            of: transition.paidAmounts(for: package), package.id, owner: package.owner, carrier: carrier, now: now,
            in: tx)
        do {
            try ledger.post(transfer.adding(parts), in: tx)
        } catch LedgerError.insufficientFunds {
            throw try shortage(transfer.legs, transition, package, in: tx)
        }
    }

    /// Returns the error for the owner or carrier who can't pay. The carrier's own wallet is checked first.
    private func shortage(
        _ legs: [Leg], _ transition: Transition, _ package: StoredPackage, in tx: Transaction
    ) throws -> AppError {
        guard transition.action == .accept else {
            return AppError(.insufficientFunds, .rewardAboveBalance, field: "reward")
        }
        let owner = package.owner.map(CarrepsaLedgerAccounts.wallet)
        for leg in legs where leg.amount < 0 && leg.account != owner {
            if try ledger.balance(of: leg.account, in: tx) < -leg.amount {
                return AppError(.insufficientFunds, .lockAboveBalance, field: "moneyLock")
            }
        }
        return AppError(.rewardNotFunded, .rewardNotFunded)
    }
}
