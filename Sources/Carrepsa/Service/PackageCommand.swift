import Accounts
import Kernel
import Ledger
import Notifications
import Storage

/// A request to perform an action on a package, with the time and the ids, which are generated outside the
/// transaction.
struct PackageCommand: Sendable {
    enum Initiator: Sendable {
        case person(PersonID)
        case clock

        var person: PersonID? {
            if case .person(let id) = self { id } else { nil }
        }
    }

    /// The code that proves a handover.
    struct Proof: Sendable {
        let step: HandoverStep
        /// `nil` if no code was entered.
        let code: String?
    }

    let package: ID<Package>
    let action: PackageAction
    let initiator: Initiator
    var note: String?
    var proof: Proof?
    /// The version that the actor read; `nil` accepts any version.
    var ifVersion: Int64?
    let now: Instant
    let transfer: ID<Transfer>
    /// The id of the refund that precedes the action if the acceptance has expired without a record of it.
    let refund: ID<Transfer>

    init(_ action: PackageAction, _ package: ID<Package>, by initiator: Initiator, service: CarrepsaService) {
        self.action = action
        self.package = package
        self.initiator = initiator
        now = service.clock.now
        transfer = ID(at: now, random: service.random)
        refund = ID(at: now, random: service.random)
    }
}

extension CarrepsaService {
    /// The result of a command that was committed.
    private enum Outcome<Value: Sendable>: Sendable {
        case done(Value)
        /// The code was wrong; the committed transaction counts the failure.
        case wrongCode
    }

    /// Executes a command, once per idempotency key.
    /// - Parameter answer: builds the result in the same transaction, before another request changes the package.
    func make<Value: Sendable>(
        _ command: PackageCommand, status: Int, scope: IdempotencyScope?,
        answer: @escaping @Sendable (PackageList.Named, Transaction) throws -> Value
    ) async throws -> Value {
        let outcome: Outcome<Value>
        do {
            outcome = try await attempt(command, status: status, scope: scope, answer: answer)
        } catch let error as AppError where error.code == .insufficientFunds || error.code == .rewardNotFunded {
            // Expired acceptances release money even if the scheduled job hasn't run yet.
            guard await expireOverduePackages() else {
                if error.code == .rewardNotFunded { try await notifyOwnerOfMissingFunds(of: command) }
                throw error
            }
            do {
                outcome = try await attempt(command, status: status, scope: scope, answer: answer)
            } catch let error as AppError where error.code == .rewardNotFunded {
                try await notifyOwnerOfMissingFunds(of: command)
                throw error
            }
        }
        switch outcome {
        case .done(let answer): return answer
        case .wrongCode: throw AppError(.invalid, .codeWrong, field: "code")
        }
    }

    /// Executes a command without a result.
    func make(_ command: PackageCommand, status: Int, scope: IdempotencyScope?) async throws {
        try await make(command, status: status, scope: scope) { _, _ in () }
    }

    private func attempt<Value: Sendable>(
        _ command: PackageCommand, status: Int, scope: IdempotencyScope?,
        answer: @escaping @Sendable (PackageList.Named, Transaction) throws -> Value
    ) async throws -> Outcome<Value> {
        let resource = command.package.description
        return try await database.write { [self] tx in
            if let proof = command.proof, try !isProven(proof, by: command, in: tx) { return .wrongCode }
            var moved: PackageList.Named?
            _ = try tx.once(scope, status: status, now: command.now, resource: resource) {
                moved = try execute(command, in: tx)
            }
            // A repeated command hasn't loaded the package yet.
            guard let package = try moved ?? PackageList.one(command.package, in: tx) else { throw AppError.notFound }
            return .done(try answer(package, tx))
        }
    }

    /// Locks the package, looks up the transition and applies it.
    private func execute(_ command: PackageCommand, in tx: Transaction) throws -> PackageList.Named {
        guard let locked = try PackageList.lock(command.package, initiator: command.initiator.person, in: tx) else {
            throw AppError.notFound
        }
        var named = locked.package
        var package = named.stored
        // Consistent with reading: a withdrawn package is not found, for every person and every action.
        guard package.withdrawnAt == nil else { throw AppError.notFound }
        if command.action != .expire, package.isOverdue(command.now) {
            guard let step = DeliveryLifeCycle.step(package.state, .expire, .clock) else { throw AppError.notFound }
            package = try take(step, package, by: .clock, note: nil, transfer: command.refund, now: command.now, in: tx)
        }
        let step = try allowedTransition(for: command, on: package, in: tx)
        // Checked last, so that an impossible action gets its specific error.
        if let ifVersion = command.ifVersion, ifVersion != package.version { throw AppError(.conflict, .stateMovedOn) }
        let after = try take(
            step, package, by: command.initiator, note: command.note, transfer: command.transfer, now: command.now,
            in: tx
        )
        var carrierName = after.carrier == command.initiator.person ? locked.askerName : named.carrier?.name
        // On PostgreSQL, the join gives no name if the carrier changed while the query waited for the lock.
        if carrierName == nil, let carrier = after.carrier { carrierName = try PeopleStore.name(of: carrier, in: tx) }
        named.replace(with: after, carrierName: carrierName)
        return named
    }

    private func allowedTransition(for command: PackageCommand, on package: StoredPackage, in tx: Transaction) throws
        -> Transition
    {
        let role = try role(of: command, on: package, in: tx)
        var action = command.action
        if action == .requestCancellation, let by = package.cancellationRequestedBy, by != role {
            action = .agreeCancellation
        }
        guard let step = DeliveryLifeCycle.step(package.state, action, role) else {
            throw refusal(of: action, to: role, on: package)
        }
        if step.conditions.contains(.code), command.proof?.code == nil {
            throw AppError(.invalid, .codeMissing, field: "code")
        }
        guard let obstacle = step.obstacle(for: package, role: role, now: command.now) else { return step }
        throw AppError(.conflict, obstacle.message)
    }

    private func role(of command: PackageCommand, on package: StoredPackage, in tx: Transaction) throws -> PackageRole {
        guard let person = command.initiator.person else { return .clock }
        let role = package.role(of: person)
        switch command.action {
        case .decideDelivered, .decideRefunded, .decideLost:
            guard try PeopleStore.isOperator(person, in: tx) else { throw AppError(.forbidden, .operatorsOnly) }
            // An administrator can't decide a dispute about their own package.
            guard role == .stranger else { throw AppError(.forbidden, .roleMayNot) }
            return .operator
        default: return role
        }
    }

    /// Returns the error for an action without a transition.
    private func refusal(of action: PackageAction, to role: PackageRole, on package: StoredPackage) -> AppError {
        switch (action, role) {
        case (.accept, .owner): return AppError(.forbidden, .ownPackage)
        case (.accept, _): return AppError(.conflict, .notAvailable)
        case (_, .operator): return AppError(.conflict, .notInDispute)
        default: break
        }
        guard package.isVisible(to: role, isOperator: false) else { return .notFound }
        let isLate = !DeliveryLifeCycle.isPossible(action, in: package.state)
        return isLate ? AppError(.conflict, .stateMovedOn) : AppError(.forbidden, .roleMayNot)
    }

    /// Applies a transition in this transaction: state, history, events, notifications and money.
    private func take(
        _ step: Transition, _ package: StoredPackage, by initiator: PackageCommand.Initiator, note: String?,
        transfer: ID<Transfer>,
        now: Instant, in tx: Transaction
    ) throws -> StoredPackage {
        let after = step.applied(to: package, by: initiator.person, note: note, now: now)
        let entry = PackageHistoryRow(
            after, step.action.rawValue, role: step.role, by: initiator.person, note: note, now: now)
        try PackageStore.update(after, telling: entry, in: tx)
        if step.next == .available { try HandoverStore.deleteAll(of: package.id, in: tx) }
        try announce(step, from: package, to: after, by: initiator.person, now: now, in: tx)
        // Last, because posting locks the wallets until the commit.
        let legs = step.legs(for: package, carrier: after.carrier ?? package.carrier)
        try post(legs, for: step, package, transfer: transfer, now: now, in: tx)
        return after
    }

    func post(
        _ legs: [Leg], for step: Transition, _ package: StoredPackage, transfer: ID<Transfer>, now: Instant,
        in tx: Transaction
    ) throws {
        guard !legs.isEmpty else { return }
        let posting = Transfer(
            id: transfer, kind: TransferKind(step.action).rawValue, subject: package.id.description, at: now,
            legs: legs
        )
        do {
            try ledger.post(posting, in: tx)
        } catch LedgerError.insufficientFunds {
            throw try shortage(legs, step, package, in: tx)
        }
    }

    /// Returns the error for the party that can't pay. The carrier's own wallet is checked first.
    private func shortage(
        _ legs: [Leg], _ step: Transition, _ package: StoredPackage, in tx: Transaction
    ) throws -> AppError {
        guard step.action == .accept else {
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

    /// Publishes the events and posts the notifications of the transition.
    func announce(
        _ step: Transition, from before: StoredPackage, to after: StoredPackage, by actor: PersonID?, now: Instant,
        in tx: Transaction
    ) throws {
        try tell(of: step, from: before, to: after, now: now, in: tx)
        try notify(of: step, from: before, to: after, by: actor, now: now, in: tx)
    }

    /// Publishes the change events to the transition's audience. A change of the offers goes to everyone, which
    /// includes owner and carrier.
    private func tell(
        of step: Transition, from before: StoredPackage, to after: StoredPackage, now: Instant, in tx: Transaction
    ) throws {
        let carrier = after.carrier ?? before.carrier
        var audience = [ChangeEvent.everyone]
        if !step.told.contains(.stranger) {
            audience = [after.owner, carrier].compactMap { $0 }
            if step.told.contains(.operator) {
                audience += try PeopleStore.operators(in: tx).filter { !audience.contains($0) }
            }
        }
        var events = audience.map { CarrepsaEvents.package(after, to: $0, now: now) }
        let purses = step.purses(of: before)
        if purses.contains(.owner), let owner = after.owner {
            events.append(CarrepsaEvents.wallet(of: owner, now: now))
        }
        if purses.contains(.carrier), let carrier { events.append(CarrepsaEvents.wallet(of: carrier, now: now)) }
        try tx.publish(events)
    }

    /// Notifies the owner that a carrier couldn't accept because the reward isn't covered. Needs its own transaction,
    /// because the rejected one is rolled back.
    private func notifyOwnerOfMissingFunds(of command: PackageCommand) async throws {
        try await database.write { [self] tx in
            guard var package = try PackageStore.lock(command.package, in: tx), package.state == .available,
                let owner = package.owner,
                try PackageHistoryStore.lastEvent(of: package.id, in: tx) != PackageHistoryStore.rewardNotFunded
            else { return }
            package.version += 1
            let entry = PackageHistoryRow(
                package, PackageHistoryStore.rewardNotFunded, role: .stranger, by: nil, note: nil, now: command.now
            )
            try PackageStore.update(package, telling: entry, in: tx)
            try tx.publish(CarrepsaEvents.package(package, to: owner, now: command.now))
            try notify(
                owner, of: .rewardNotFunded, naming: nil, amount: package.reward, package, now: command.now, in: tx)
        }
    }
}
