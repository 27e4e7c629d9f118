import Accounts
import Kernel
import Storage

/// Runs the transactions of use cases. Each resolves the actor to their household. One that writes also locks it.
struct HouseholdTransactions: Sendable {
    let database: Database
    let proofs: ProofService
    let creator: HouseholdCreator

    /// Runs `body` in a read transaction for the actor.
    func read<T: Sendable>(
        for actor: Actor, _ body: @escaping @Sendable (Transaction, HouseholdActor) throws -> T
    ) async throws -> T {
        try await creatingHousehold(for: actor) {
            try await database.read { tx in try body(tx, try resolve(actor, in: tx)) }
        }
    }

    /// Runs `body` in a write transaction for the actor, with their household locked.
    func write<T: Sendable>(
        by actor: Actor, _ body: @escaping @Sendable (Transaction, HouseholdActor) throws -> T
    ) async throws -> T {
        try await creatingHousehold(for: actor) {
            try await database.write { tx in try body(tx, try lock(actor, in: tx)) }
        }
    }

    /// Runs `body` in a write transaction for an action that requires a proof (``SensitiveAct``). `body` checks the
    /// proof after everything else. The actor's account is locked before the household, in the same order as in the
    /// deletion of an account.
    func writeWithProof<T: Sendable>(
        by actor: Actor, password: String?,
        _ body: @escaping @Sendable (Transaction, HouseholdActor, Evidence) throws -> T
    ) async throws -> T {
        let evidence = try await proofs.evidence(password: password, of: actor)
        return try await creatingHousehold(for: actor) {
            try await database.write { tx in
                try proofs.lockAccount(of: actor, in: tx)
                return try body(tx, try lock(actor, in: tx), evidence)
            }
        }
    }

    /// Runs `work`. If an adult has no household, creates one and runs `work` again. Each transaction of `work` reads
    /// the membership again, because a cached one could be out of date.
    func creatingHousehold<T: Sendable>(for actor: Actor, _ work: () async throws -> T) async throws -> T {
        do {
            return try await work()
        } catch is NoHouseholdError {
            try await creator.createIfMissing(for: actor)
            return try await work()
        }
    }

    /// Returns the actor with their household and role.
    /// - Throws: ``NoHouseholdError``; `AppError`: `forbidden` for a child without a household; `invalid` at
    ///   `dateOfBirth` if an adult's account has none.
    func resolve(_ actor: Actor, in tx: Transaction) throws -> HouseholdActor {
        guard let member = try HouseholdStore.member(actor.person, in: tx), member.deletedAt == nil else {
            guard actor.role == .adult else { throw AppError(.forbidden, .noHousehold) }
            throw NoHouseholdError()
        }
        if actor.role == .adult { try creator.requireProfile(of: actor.person, in: tx) }
        return HouseholdActor(person: member.person, household: member.household, role: member.role)
    }

    /// Locks the actor's household until the end of the transaction.
    func lock(_ actor: Actor, in tx: Transaction) throws -> HouseholdActor {
        var householdActor = try resolve(actor, in: tx)
        // The person may move to another household while this transaction waits for the lock: check again.
        for _ in 0..<Limits.transactionAttempts {
            let isThere = try HouseholdStore.lock(householdActor.household, in: tx)
            let present = try resolve(actor, in: tx)
            if isThere, present == householdActor { return householdActor }
            householdActor = present
        }
        throw AppError(.conflict, .movedOn)
    }
}

/// Thrown when an adult isn't a member of any household.
struct NoHouseholdError: Error {}
