package import Accounts
package import Kernel
import Ledger
import Pictures
import Storage

extension CarrepsaService {
    /// A page of packages, newest first.
    /// - Parameter past: `true` only finished ones, `false` only live ones, `nil` both.
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

    /// One package with what the asker may do and what happened to it.
    /// - Throws: `AppError.notFound` when it is absent or not the asker's to see.
    package func package(_ id: ID<Package>, for actor: Actor) async throws -> PackageView {
        do {
            try await enter(actor)
        } catch let error as AppError where error.code == .invalid {
            // Operators look at disputes without a wallet of their own.
            guard try await database.read({ tx in try PeopleStore.isOperator(actor.person, in: tx) }) else {
                throw error
            }
        }
        return try await reading { [self] tx, now in
            guard let row = try PackageList.one(id, in: tx) else { throw AppError.notFound }
            return try view(of: row, for: actor.person, as: .visitor, now: now, in: tx)
        }
    }

    /// Why a package can't be seen by somebody who looked at it a moment ago; `nil` when there never was such a one.
    package func end(of id: ID<Package>, for actor: Actor) async throws -> OfferEnd? {
        try await database.read { tx in
            guard let package = try PackageStore.find(id, in: tx) else { return nil }
            if package.withdrawnAt != nil { return .withdrawn }
            guard package.state != .available else { return nil }
            let isJudge = try package.disputedAt != nil && PeopleStore.isOperator(actor.person, in: tx)
            return isJudge ? .settled : .taken
        }
    }

    /// Offers a package: its reward is put aside in the same transaction.
    /// - Throws: `AppError`: `invalid` naming every field at fault; `insufficientFunds` at `reward`.
    package func post(_ input: PackageInput, by change: Change) async throws -> PackageView {
        try await asMember(change.actor) { try await postAsMember(input, by: change) }
    }

    /// Checks a new package before a picture that came with it is stored.
    /// - Throws: `AppError.invalid` as when it is posted.
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
            guard await hasFreedMoney() else { throw error }
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
        let entry = StoryRow(posted, step.action.rawValue, role: .owner, by: owner, note: nil, now: now)
        let ownerName = try PackageStore.insert(posted, from: draft.from, to: draft.to, telling: entry, in: tx)
        try ledger.open(Purses.escrow(package.id), unit: currency.code, now: now, in: tx)
        try announce(step, from: package, to: posted, by: owner, now: now, in: tx)
        // Last, because from here on nobody else can move this wallet until the commit.
        let legs = step.legs(for: package, carrier: nil)
        try post(legs, for: step, package, transfer: transfer, now: now, in: tx)
        return PackageList.Named(posted, ownerName: ownerName)
    }

    /// Takes an offer back: the reward comes back, and the package is gone from every list.
    /// - Throws: `AppError`: `notFound`, also when it was withdrawn before; `conflict` when somebody accepted it;
    ///   `forbidden` when it isn't the asker's.
    package func withdraw(_ id: ID<Package>, by change: Change) async throws {
        try await asMember(change.actor) {
            try await make(move(.withdraw, id, change), status: 204, scope: change.idempotency)
        }
    }

    /// Accepts a package: the money lock is put up, and the reward aside where it isn't yet.
    /// - Throws: `AppError`: `notFound`; `forbidden` for one's own; `conflict` when it isn't available any more, or its
    ///   deadline has passed; `insufficientFunds` at `moneyLock`; `rewardNotFunded` when the owner can't cover it.
    package func accept(_ id: ID<Package>, by change: Change) async throws -> PackageView {
        try await act(.accept, id, status: 201, change)
    }

    /// Steps back before the pickup, as owner or carrier: everybody gets their own back.
    /// - Throws: `AppError`: `notFound`, `conflict`, `forbidden`.
    package func cancelAcceptance(_ id: ID<Package>, by change: Change) async throws -> PackageView {
        try await act(.cancelAcceptance, id, status: 200, change)
    }

    /// The parcel was handed to the carrier.
    /// - Parameter code: of the other side; the owner may do without.
    /// - Throws: `AppError`: `notFound`, `conflict`, `forbidden`; `invalid` at `code`; `throttled` after
    ///   ``Limits/handoverFailures`` wrong codes.
    package func confirmPickup(_ id: ID<Package>, code: String?, by change: Change) async throws -> PackageView {
        try await act(.confirmPickup, id, status: 201, change) { move in
            move.proof = Move.Proof(step: .pickup, code: Handover.typed(code))
        }
    }

    /// The parcel arrived: money lock and reward go to the carrier.
    /// - Parameter code: of the other side; the owner may do without.
    /// - Throws: as ``confirmPickup(_:code:by:)``.
    package func confirmDelivery(_ id: ID<Package>, code: String?, by change: Change) async throws -> PackageView {
        try await act(.confirmDelivery, id, status: 201, change) { move in
            move.proof = Move.Proof(step: .delivery, code: Handover.typed(code))
        }
    }

    /// The carrier says that it has arrived: the owner is told, and an operator after
    /// ``Limits/deliveryReportSeconds``.
    /// - Throws: `AppError`: `notFound`, `conflict`, `forbidden`.
    package func reportDelivery(_ id: ID<Package>, by change: Change) async throws -> PackageView {
        try await act(.reportDelivery, id, status: 201, change)
    }

    /// Wants to give up the journey. When the other one wants to as well, it is given up, and everybody gets their own
    /// back.
    /// - Throws: `AppError`: `notFound`, `conflict`, `forbidden`.
    package func requestCancellation(_ id: ID<Package>, by change: Change) async throws -> PackageView {
        try await act(.requestCancellation, id, status: 201, change)
    }

    /// Doesn't want to give up any more.
    /// - Throws: `AppError`: `notFound`, `conflict`, `forbidden`.
    package func retractCancellation(_ id: ID<Package>, by change: Change) async throws -> PackageView {
        try await act(.retractCancellation, id, status: 200, change)
    }

    /// Asks an operator to decide.
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
    /// - Throws: `AppError`: `notFound`, `forbidden`; `conflict` when it isn't in dispute, or after
    ///   ``Limits/disputeStatements`` statements; `invalid` at `statement`.
    package func addStatement(_ id: ID<Package>, text: String?, by change: Change) async throws -> PackageView {
        var problems = Problems()
        let text = PackageDraft.text(text, "statement", &problems)
        if text == nil { problems.refuse("statement", .statementMissing) }
        try problems.finish()
        return try await act(.addStatement, id, status: 201, change) { $0.note = text }
    }

    // MARK: Views

    private func move(_ action: PackageAction, _ id: ID<Package>, _ change: Change) -> Move {
        var move = Move(action, id, by: .person(change.actor.person), service: self)
        move.ifVersion = change.ifVersion
        return move
    }

    private func act(
        _ action: PackageAction, _ id: ID<Package>, status: Int, _ change: Change,
        with details: (inout Move) -> Void = { _ in }
    ) async throws -> PackageView {
        var move = self.move(action, id, change)
        details(&move)
        let person = change.actor.person
        return try await asMember(change.actor) { [move] in
            try await make(move, status: status, scope: change.idempotency) { [self] row, tx in
                try view(of: row, for: person, as: .actor, now: move.now, in: tx)
            }
        }
    }

    /// Why somebody sees a package.
    private enum Viewer {
        /// They ask for it, and for its story.
        case visitor
        /// They have just done something with it, perhaps for the second time: they see what came of it, even if it is
        /// out of their sight by now.
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

    /// Only the owner and an operator see the names of earlier carriers.
    private func story(
        of id: ID<Package>, for person: PersonID, as role: PackageRole, isOperator: Bool, in tx: Transaction
    ) throws -> [StoryEntry] {
        let entries = try StoryStore.entries(of: id, in: tx)
        guard role != .owner, !isOperator else { return entries }
        return entries.map { entry in
            let isNamed = entry.role == .owner || entry.by == person || (role == .carrier && entry.role == .operator)
            return isNamed ? entry : entry.unnamed
        }
    }

    private func reason(
        _ action: PackageAction, _ obstacle: StepCondition?, _ package: Package, for person: PersonID,
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

    /// Adds whether the owners could cover what isn't put aside.
    func completed(_ row: PackageList.Named, in tx: Transaction) throws -> Package {
        let stored = row.stored
        var isCovered = false
        if !stored.isRewardHeld, !stored.state.isFinished, let owner = stored.owner {
            isCovered = try balance(of: owner, in: tx) >= stored.reward
        }
        return stored.package(owner: row.owner, carrier: row.carrier, funded: isCovered)
    }

    /// The same for several, whose owners may be the same.
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
    /// A package that is about to be posted.
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
