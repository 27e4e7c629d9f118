package import Accounts
package import Kernel
import Ledger
import Pictures
import Storage

extension CarrepsaService {
    /// Returns a page of packages, newest first.
    /// - Parameter past: `true` returns only finished packages, `false` only unfinished ones, `nil` both.
    /// - Throws: `AppError.invalid` at `from`, `to`, `maxWeight` and `after`.
    package func packages(
        for actor: Actor, _ listing: PackageListing, filter: PackageFilter = PackageFilter(), past: Bool? = nil,
        after: String?, limit: Int
    ) async throws -> CarrepsaPage<Package> {
        try await enter(actor)
        let filter = try PackageList.Filter(filter)
        let start = try Cursor.package(after)
        let limit = Cursor.limit(limit)
        let packages = try await reading { [self] tx, now in
            let rows = try PackageList.page(
                listing, of: actor.person, filter: filter, past: past, start: start, limit: limit + 1, now: now, in: tx
            )
            return try completed(rows, in: tx)
        }
        return CarrepsaPage(packages, limit: limit) { $0.id.description }
    }

    /// Returns one package with the actor's possible actions and its history.
    /// - Throws: `AppError.notFound` if it doesn't exist or the actor may not see it.
    package func package(_ id: ID<Package>, for actor: Actor) async throws -> PackageView {
        do {
            try await enter(actor)
        } catch let error as AppError where error.code == .invalid {
            // Administrators see disputes without having a wallet.
            guard try await database.read({ tx in try PeopleStore.isOperator(actor.person, in: tx) }) else {
                throw error
            }
        }
        return try await reading { [self] tx, now in
            guard let row = try PackageList.one(id, in: tx) else { throw AppError.notFound }
            return try view(of: row, for: actor.person, as: .visitor, now: now, in: tx)
        }
    }

    /// Returns why the actor can no longer see a package; `nil` if it never existed or is still offered.
    package func end(of id: ID<Package>, for actor: Actor) async throws -> OfferEndReason? {
        try await database.read { tx in
            guard let package = try PackageStore.find(id, in: tx) else { return nil }
            if package.withdrawnAt != nil { return .withdrawn }
            guard package.state != .available else { return nil }
            let isJudge = try package.disputedAt != nil && PeopleStore.isOperator(actor.person, in: tx)
            return isJudge ? .settled : .taken
        }
    }

    /// Posts an offer and puts its reward into escrow in the same transaction.
    /// - Throws: `AppError`: `invalid` with every invalid field; `insufficientFunds` at `reward`.
    package func post(_ input: PackageInput, by change: Change) async throws -> PackageView {
        try await withWallet(change.actor) { try await postAsMember(input, by: change) }
    }

    /// Validates a new package before its uploaded picture is stored.
    /// - Throws: the `AppError.invalid` of ``post(_:by:)``.
    package func check(_ input: PackageInput) throws { _ = try PackageDraft(input, now: clock.now) }

    private func postAsMember(_ input: PackageInput, by change: Change) async throws -> PackageView {
        let now = clock.now
        let person = change.actor.person
        let draft = try PackageDraft(input, now: now)
        let package = StoredPackage(draft, id: ID(at: now, random: random), owner: person, now: now)
        let transfer = ID<Transfer>(at: now, random: random)
        let scope = change.idempotency
        let work: @Sendable (Transaction) throws -> PackageView = { [self] tx in
            var posted: PackageList.Named?
            let once = try tx.once(scope, status: 201, now: now, resource: package.id.description) {
                posted = try insert(package, draft, transfer: transfer, now: now, in: tx)
            }
            if posted == nil, let earlier = ID<Package>(once.resource) { posted = try PackageList.one(earlier, in: tx) }
            guard let posted else { throw AppError.notFound }
            return try view(of: posted, for: person, as: .actor, now: now, in: tx)
        }
        do {
            return try await database.write(work)
        } catch let error as AppError where error.code == .insufficientFunds {
            guard await expireOverduePackages() else { throw error }
            return try await database.write(work)
        }
    }

    private func insert(
        _ package: StoredPackage, _ draft: PackageDraft, transfer: ID<Transfer>, now: Instant, in tx: Transaction
    ) throws -> PackageList.Named {
        guard let step = DeliveryLifeCycle.step(nil, .post, .owner), let owner = package.owner else {
            throw AppError.notFound
        }
        try draft.checkDeadline(now: now)
        if let picture = package.pictureID { try PictureLibrary.requireOwned(picture, by: owner, in: tx) }
        var posted = package
        posted.isRewardHeld = true
        let entry = PackageHistoryRow(posted, step.action.rawValue, role: .owner, by: owner, note: nil, now: now)
        let ownerName = try PackageStore.insert(posted, from: draft.from, to: draft.to, telling: entry, in: tx)
        try ledger.open(CarrepsaLedgerAccounts.escrow(package.id), unit: currency.code, now: now, in: tx)
        try announce(step, from: package, to: posted, by: owner, now: now, in: tx)
        // Last, because posting locks the wallet until the commit.
        let legs = step.legs(for: package, carrier: nil)
        try post(legs, for: step, package, transfer: transfer, now: now, in: tx)
        return PackageList.Named(posted, ownerName: ownerName)
    }

    /// Withdraws an offer and returns the reward. Lists no longer show the package.
    /// - Throws: `AppError`: `notFound`, also after a withdrawal; `conflict` if a carrier accepted it; `forbidden` if
    ///   the actor isn't the owner.
    package func withdraw(_ id: ID<Package>, by change: Change) async throws {
        try await withWallet(change.actor) {
            try await make(command(.withdraw, id, change), status: 204, scope: change.idempotency)
        }
    }

    /// Accepts a package and puts the deposit into escrow, and the reward if it isn't there.
    /// - Throws: `AppError`: `notFound`; `forbidden` for an own package; `conflict` if it is no longer available or
    ///   its latest pickup has passed; `insufficientFunds` at `moneyLock`; `rewardNotFunded` if the owner's balance
    ///   doesn't cover it.
    package func accept(_ id: ID<Package>, by change: Change) async throws -> PackageView {
        try await act(.accept, id, status: 201, change)
    }

    /// Cancels the acceptance before the pickup, as owner or carrier, and returns reward and deposit.
    /// - Throws: `AppError`: `notFound`, `conflict`, `forbidden`.
    package func cancelAcceptance(_ id: ID<Package>, by change: Change) async throws -> PackageView {
        try await act(.cancelAcceptance, id, status: 200, change)
    }

    /// Confirms that the carrier has the package.
    /// - Parameter code: the other party's handover code; optional for the owner.
    /// - Throws: `AppError`: `notFound`, `conflict`, `forbidden`; `invalid` at `code`; `throttled` after
    ///   ``Limits/handoverFailures`` wrong codes.
    package func confirmPickup(_ id: ID<Package>, code: String?, by change: Change) async throws -> PackageView {
        try await act(.confirmPickup, id, status: 201, change) { command in
            command.proof = PackageCommand.Proof(step: .pickup, code: Handover.typed(code))
        }
    }

    /// Confirms the delivery and pays deposit and reward to the carrier.
    /// - Parameter code: the other party's handover code; optional for the owner.
    /// - Throws: the errors of ``confirmPickup(_:code:by:)``.
    package func confirmDelivery(_ id: ID<Package>, code: String?, by change: Change) async throws -> PackageView {
        try await act(.confirmDelivery, id, status: 201, change) { command in
            command.proof = PackageCommand.Proof(step: .delivery, code: Handover.typed(code))
        }
    }

    /// Reports the delivery as the carrier and notifies the owner. Without an answer for
    /// ``Limits/deliveryReportSeconds``, ``housekeeping()`` opens a dispute.
    /// - Throws: `AppError`: `notFound`, `conflict`, `forbidden`.
    package func reportDelivery(_ id: ID<Package>, by change: Change) async throws -> PackageView {
        try await act(.reportDelivery, id, status: 201, change)
    }

    /// Requests the cancellation of the delivery. If the other party has requested it too, cancels the delivery and
    /// returns reward and deposit.
    /// - Throws: `AppError`: `notFound`, `conflict`, `forbidden`.
    package func requestCancellation(_ id: ID<Package>, by change: Change) async throws -> PackageView {
        try await act(.requestCancellation, id, status: 201, change)
    }

    /// Retracts the actor's cancellation request.
    /// - Throws: `AppError`: `notFound`, `conflict`, `forbidden`.
    package func retractCancellation(_ id: ID<Package>, by change: Change) async throws -> PackageView {
        try await act(.retractCancellation, id, status: 200, change)
    }

    /// Opens a dispute, which an administrator decides.
    /// - Parameter reason: 1 to ``Limits/descriptionCharacters`` characters.
    /// - Throws: `AppError`: `notFound`, `conflict`, `forbidden`; `invalid` at `reason`.
    package func dispute(_ id: ID<Package>, reason: String?, by change: Change) async throws -> PackageView {
        var problems = Problems()
        let text = PackageDraft.text(reason, "reason", &problems)
        if text == nil { problems.refuse("reason", .reasonMissing) }
        try problems.finish()
        return try await act(.dispute, id, status: 201, change) { $0.note = text }
    }

    /// Adds a statement to a dispute, as owner or carrier. Statements can't be changed.
    /// - Parameter text: 1 to ``Limits/descriptionCharacters`` characters.
    /// - Throws: `AppError`: `notFound`, `forbidden`; `conflict` if it isn't in dispute or after
    ///   ``Limits/disputeStatements`` statements; `invalid` at `statement`.
    package func addStatement(_ id: ID<Package>, text: String?, by change: Change) async throws -> PackageView {
        var problems = Problems()
        let text = PackageDraft.text(text, "statement", &problems)
        if text == nil { problems.refuse("statement", .statementMissing) }
        try problems.finish()
        return try await act(.addStatement, id, status: 201, change) { $0.note = text }
    }

    // MARK: Views

    private func command(_ action: PackageAction, _ id: ID<Package>, _ change: Change) -> PackageCommand {
        var command = PackageCommand(action, id, by: .person(change.actor.person), service: self)
        command.ifVersion = change.ifVersion
        return command
    }

    private func act(
        _ action: PackageAction, _ id: ID<Package>, status: Int, _ change: Change,
        with details: (inout PackageCommand) -> Void = { _ in }
    ) async throws -> PackageView {
        var command = self.command(action, id, change)
        details(&command)
        let person = change.actor.person
        return try await withWallet(change.actor) { [command] in
            try await make(command, status: status, scope: change.idempotency) { [self] row, tx in
                try view(of: row, for: person, as: .actor, now: command.now, in: tx)
            }
        }
    }

    /// The occasion on which a person sees a package.
    private enum Viewer {
        /// The person opens the package and sees its history.
        case visitor
        /// The person performed an action, or repeated it with the same idempotency key. They see the result even if
        /// they may no longer open the package.
        case actor
    }

    private func view(
        of row: PackageList.Named, for person: PersonID, as viewer: Viewer, now: Instant, in tx: Transaction
    ) throws -> PackageView {
        var row = row
        let stored = row.stored
        let role = stored.role(of: person)
        let isOperator = try role == .stranger && stored.disputedAt != nil && PeopleStore.isOperator(person, in: tx)
        if !stored.isVisible(to: role, isOperator: isOperator) {
            guard viewer == .actor else { throw AppError.notFound }
            row.hideCarrier()
        }
        let package = try completed(row, in: tx)
        let offers = DeliveryLifeCycle.offers(stored, to: role, isOperator: isOperator, now: now)
        var blocked: [PackageAction: BlockReason] = [:]
        for offer in offers {
            blocked[offer.action] = try reason(offer.action, offer.obstacle, package, for: person, in: tx)
        }
        return PackageView(
            package: package, role: isOperator ? .operator : role, actions: offers.map(\.action), blocked: blocked,
            story: viewer == .visitor
                ? try story(of: stored.id, for: person, as: role, isOperator: isOperator, in: tx) : []
        )
    }

    /// Returns the history. Only the owner and administrators see the names of earlier carriers.
    private func story(
        of id: ID<Package>, for person: PersonID, as role: PackageRole, isOperator: Bool, in tx: Transaction
    ) throws -> [PackageHistoryEntry] {
        let entries = try PackageHistoryStore.entries(of: id, in: tx)
        guard role != .owner, !isOperator else { return entries }
        return entries.map { entry in
            let isNamed = entry.role == .owner || entry.by == person || (role == .carrier && entry.role == .operator)
            return isNamed ? entry : entry.unnamed
        }
    }

    private func reason(
        _ action: PackageAction, _ obstacle: TransitionCondition?, _ package: Package, for person: PersonID,
        in tx: Transaction
    ) throws -> BlockReason? {
        switch obstacle {
        case .beforeDeadline?: return .deadlinePassed
        case .code?: return .codeNeeded
        default: break
        }
        guard action == .accept else { return nil }
        if try balance(of: person, in: tx) < package.moneyLock { return .insufficientFunds }
        return package.funded ? nil : .rewardNotFunded
    }

    /// Adds whether the owner's balance covers a reward that isn't in escrow.
    func completed(_ row: PackageList.Named, in tx: Transaction) throws -> Package {
        let stored = row.stored
        var isCovered = false
        if !stored.isRewardHeld, !stored.state.isFinished, let owner = stored.owner {
            isCovered = try balance(of: owner, in: tx) >= stored.reward
        }
        return stored.package(owner: row.owner, carrier: row.carrier, funded: isCovered)
    }

    /// Does the same for several packages and reads the balance of each owner once.
    func completed(_ rows: [PackageList.Named], in tx: Transaction) throws -> [Package] {
        var balances: [PersonID: Int64] = [:]
        return try rows.map { row in
            let stored = row.stored
            var isCovered = false
            if !stored.isRewardHeld, !stored.state.isFinished, let owner = stored.owner {
                let atHand = try balances[owner] ?? balance(of: owner, in: tx)
                balances[owner] = atHand
                isCovered = atHand >= stored.reward
            }
            return stored.package(owner: row.owner, carrier: row.carrier, funded: isCovered)
        }
    }
}

extension StoredPackage {
    /// Creates a package that isn't stored yet.
    init(_ draft: PackageDraft, id: ID<Package>, owner: PersonID, now: Instant) {
        self.init(
            id: id, owner: owner, carrier: nil, title: draft.title, from: draft.from.text, to: draft.to.text,
            weightGrams: draft.weightGrams, reward: draft.reward, moneyLock: draft.moneyLock,
            description: draft.description, pictureID: draft.pictureID, deadline: draft.deadline, state: .available,
            isRewardHeld: false, createdAt: now, acceptedAt: nil, pickedUpAt: nil, finishedAt: nil, withdrawnAt: nil,
            deliveryReportedAt: nil, cancellationRequestedBy: nil, disputedAt: nil, disputedBy: nil,
            disputeReason: nil, version: 1
        )
    }
}
