import Accounts
import Kernel
import Storage

/// Executes commands on packages: each in one transaction, and once per idempotency key.
struct PackageCommandExecutor: Sendable {
    let database: Database
    let memberships: MembershipService
    let deadlines: PackageDeadlines
    let transitions: PackageTransitions
    let handoverCodes: HandoverCodes
    let details: PackageDetailsReader
    let notifier: PackageNotifier
    let clock: any WallClock
    let random: any RandomSource

    /// The result of a command that was committed.
    private enum Outcome<Value: Sendable>: Sendable {
        case done(Value)
        /// The code was wrong; the committed transaction counts the failure.
        case wrongCode
    }

    /// Performs an action of a person who has a wallet, and returns the package as this person sees it.
    /// - Parameters:
    ///   - status: the status of the HTTP response, which a repeated request gets again.
    ///   - prepare: adds what the person entered to the command.
    func execute(
        _ action: PackageAction, on package: ID<Package>, status: Int, by change: Change,
        _ prepare: (inout PackageCommand) -> Void = { _ in }
    ) async throws -> PackageDetails {
        var command = command(action, on: package, by: change)
        prepare(&command)
        let person = change.actor.person
        return try await memberships.withWallet(change.actor) { [command] in
            try await execute(command, status: status, scope: change.idempotency) { [details] named, tx in
                try details.result(named, for: person, now: command.now, in: tx)
            }
        }
    }

    /// Checks whether the life cycle has the action for the actor now, before a file is read or stored for it.
    /// - Throws: `AppError`: `notFound`, `forbidden`; `conflict` in another state.
    func requirePossible(_ action: PackageAction, on id: ID<Package>, for actor: Actor) async throws {
        try await database.read { tx in
            guard let package = try PackageStore.find(id, in: tx), package.withdrawnAt == nil else {
                throw AppError.notFound
            }
            let role = package.role(of: actor.person)
            guard DeliveryLifeCycle.transition(package.state, action, role) != nil else {
                throw DeliveryLifeCycle.error(of: action, to: role, on: package)
            }
        }
    }

    func command(_ action: PackageAction, on package: ID<Package>, by change: Change) -> PackageCommand {
        var command = PackageCommand(
            action, on: package, by: .person(change.actor.person), now: clock.now, random: random)
        command.ifVersion = change.ifVersion
        return command
    }

    /// Executes a command.
    /// - Parameter result: builds the result in the same transaction, before another request changes the package.
    func execute<Value: Sendable>(
        _ command: PackageCommand, status: Int, scope: IdempotencyScope?,
        result: @escaping @Sendable (NamedPackage, Transaction) throws -> Value
    ) async throws -> Value {
        let outcome: Outcome<Value>
        do {
            outcome = try await deadlines.retryingAfterExpiry {
                try await commit(command, status: status, scope: scope, result: result)
            }
        } catch let error as AppError where error.code == .rewardNotFunded {
            // The transaction of the command was rolled back, so the notification needs its own.
            try await database.write { [notifier] tx in
                try notifier.notifyOwnerOfMissingFunds(command.package, now: command.now, in: tx)
            }
            throw error
        }
        switch outcome {
        case .done(let value): return value
        case .wrongCode: throw AppError(.invalid, .codeWrong, field: "code")
        }
    }

    private func commit<Value: Sendable>(
        _ command: PackageCommand, status: Int, scope: IdempotencyScope?,
        result: @escaping @Sendable (NamedPackage, Transaction) throws -> Value
    ) async throws -> Outcome<Value> {
        let resource = command.package.description
        return try await database.write { [handoverCodes, transitions] tx in
            if let proof = command.proof, try !handoverCodes.verify(proof, of: command, in: tx) { return .wrongCode }
            var changed: NamedPackage?
            _ = try tx.once(scope, status: status, now: command.now, resource: resource) {
                changed = try transitions.apply(command, in: tx)
            }
            // A repeated command hasn't loaded the package yet.
            guard let package = try changed ?? PackageList.find(command.package, in: tx) else {
                throw AppError.notFound
            }
            return .done(try result(package, tx))
        }
    }
}
