import Kernel
import Ledger

extension Transition {
    /// Returns the package after the transition.
    /// - Parameters:
    ///   - person: the actor; `nil` for the clock.
    ///   - note: the reason or statement, if the action has one.
    ///   - kind: what a new dispute is about.
    ///   - split: the division of the money, if the action states one.
    func applied(
        to package: StoredPackage, by person: PersonID?, note: String?, kind: DisputeKind? = nil,
        split: MoneySplit? = nil, now: Instant
    ) -> StoredPackage {
        var after = package
        after.state = next
        after.version += 1
        for payment in pendingPayments(for: package) where payment.money == .reward {
            after.isRewardHeld = payment.to == .escrow
        }
        switch action {
        case .accept:
            after.carrier = person
            after.acceptedAt = now
        case .cancelAcceptance, .expire:
            after.carrier = nil
            after.acceptedAt = nil
            // The next carrier's pickup needs photos of its own.
            after.pickupPhotos = 0
        case .confirmPickup: after.pickedUpAt = now
        case .reportDelivery: after.deliveryReportedAt = now
        case .requestCancellation: after.cancellationRequestedBy = role
        case .retractCancellation: after.cancellationRequestedBy = nil
        case .dispute, .escalate:
            after.disputedAt = now
            after.disputedBy = role
            after.disputeReason = note
            after.dispute = Dispute(kind ?? .other, openedBy: role, now: now)
        case .addStatement, .offerSplit:
            if role == .owner { after.ownerStatements += 1 } else { after.carrierStatements += 1 }
            // An offer without words isn't a statement: a decision waits for one.
            let isStatement = action == .addStatement || note != nil
            if isStatement, after.dispute?.awaited == role { after.dispute?.awaited = nil }
            if let split { after.dispute?.offer = Dispute.Offer(by: role, split: split) }
        case .retractSplit, .declineSplit: after.dispute?.offer = nil
        case .closeStatements: after.dispute?.close()
        case .acceptDecision:
            // The second acceptance ends the time for an appeal.
            if after.dispute?.decision?.acceptedBy != nil { after.dispute?.decision?.effectiveAt = now }
            after.dispute?.decision?.acceptedBy = role
        case .appeal: after.dispute?.appeal(by: role, now: now)
        case .decideDelivered, .decideRefunded, .decideLost, .decideSplit:
            guard let outcome = action.decision else { break }
            after.cancellationRequestedBy = nil
            after.dispute?.decide(
                outcome, split ?? outcome.split(reward: package.reward, deposit: package.moneyLock), by: person,
                now: now)
        case .withdraw:
            after.withdrawnAt = now
            // A picture in use can't be deleted, and a withdrawn package no longer shows it.
            after.pictureID = nil
        // Not a request to cancel: the carrier, who may have the link, could refuse and agree alone.
        case .refuse: after.refusedAt = now
        case .addProof:
            if state == .accepted { after.pickupPhotos += 1 } else { after.deliveryPhotos += 1 }
        case .create, .edit, .instruct, .confirmDelivery, .agreeCancellation, .acceptSplit, .enforceDelivered,
            .enforceRefunded, .enforceLost, .enforceSplit:
            break
        }
        if next.isFinished {
            after.finishedAt = now
            after.dispute?.close()
            // Money moved by an agreement or a confirmation instead.
            if !action.isEnforcement { after.dispute?.decision = nil }
        }
        return after
    }

    /// Returns the payments whose amount isn't in its target account yet.
    func pendingPayments(for package: StoredPackage) -> [Payment] {
        payments.filter { payment in
            guard payment.money == .reward else { return true }
            return (payment.from == .escrow) == package.isRewardHeld
        }
    }

    /// Returns the payments of the transition with their amounts.
    func paidAmounts(for package: StoredPackage) -> [PaidAmount] {
        pendingPayments(for: package).map { payment in
            PaidAmount(
                money: payment.money, from: payment.from, to: payment.to,
                amount: payment.amount(for: package, split: split(of: package)))
        }
    }

    /// Returns the ledger postings of the transition: at most one per account, none with the amount 0.
    /// - Parameter carrier: the carrier before or after the transition.
    func legs(for package: StoredPackage, carrier: PersonID?) -> [Leg] {
        var sums: [LedgerParty: Int64] = [:]
        for payment in paidAmounts(for: package) {
            sums[payment.from, default: 0] -= payment.amount
            sums[payment.to, default: 0] += payment.amount
        }
        return LedgerParty.allCases.compactMap { party in
            guard let amount = sums[party], amount != 0, let account = account(party, package, carrier) else {
                return nil
            }
            return Leg(account: account, amount: amount)
        }
    }

    /// Returns the transfer of the transition; `nil` if it moves no money.
    /// - Parameter carrier: the carrier before or after the transition.
    func transfer(_ id: ID<Transfer>, for package: StoredPackage, carrier: PersonID?, now: Instant) -> Transfer? {
        let legs = legs(for: package, carrier: carrier)
        guard !legs.isEmpty else { return nil }
        return Transfer(
            id: id, kind: TransferKind(action).rawValue, subject: package.id.description, at: now, legs: legs)
    }

    /// Returns the amount that a notification of the transition names, in minor units.
    func amount(in notification: TransitionNotification, for package: StoredPackage) -> Int64 {
        if notification.isPart, let split = split(of: package) {
            return notification.recipient == .owner
                ? split.ownerShare(reward: package.reward) : split.carrierShare(deposit: package.moneyLock)
        }
        return notification.money.reduce(0) { $0 + ($1 == .reward ? package.reward : package.moneyLock) }
    }

    /// Returns the parts of that amount that are reward and deposit, in minor units.
    func parts(
        in notification: TransitionNotification, for package: StoredPackage
    ) -> (reward: Int64, deposit: Int64) {
        guard notification.isPart, let split = split(of: package) else {
            let money = notification.money
            return (
                money.contains(.reward) ? package.reward : 0, money.contains(.moneyLock) ? package.moneyLock : 0
            )
        }
        return notification.recipient == .owner
            ? (package.reward - split.rewardToCarrier, split.depositToOwner)
            : (split.rewardToCarrier, package.moneyLock - split.depositToOwner)
    }

    /// Returns the division of the money that the transition carries out or announces.
    private func split(of package: StoredPackage) -> MoneySplit? {
        action == .acceptSplit ? package.dispute?.offer?.split : package.dispute?.decision?.split
    }

    private func account(_ party: LedgerParty, _ package: StoredPackage, _ carrier: PersonID?) -> LedgerAccountKey? {
        switch party {
        case .owner: package.owner.map(CarrepsaLedgerAccounts.wallet)
        case .carrier: carrier.map(CarrepsaLedgerAccounts.wallet)
        case .escrow: CarrepsaLedgerAccounts.escrow(package.id)
        }
    }

    /// Returns those of owner and carrier whose wallet changes, in its balance or its amount in escrow.
    func partiesWithChangedWallet(_ package: StoredPackage) -> Set<LedgerParty> {
        var parties: Set<LedgerParty> = []
        for payment in pendingPayments(for: package) {
            parties.formUnion([payment.from, payment.to, payment.money == .reward ? .owner : .carrier])
        }
        return parties.subtracting([.escrow])
    }
}

extension Payment {
    /// Returns the amount in minor units.
    fileprivate func amount(for package: StoredPackage, split: MoneySplit?) -> Int64 {
        let whole = money == .reward ? package.reward : package.moneyLock
        guard isPart, let split else { return whole }
        return switch (money, to) {
        case (.reward, .carrier): split.rewardToCarrier
        case (.reward, _): whole - split.rewardToCarrier
        case (.moneyLock, .owner): split.depositToOwner
        case (.moneyLock, _): whole - split.depositToOwner
        }
    }
}
