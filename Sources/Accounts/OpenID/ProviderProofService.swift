import Kernel
import Storage

/// Proofs by a fresh sign-in at a linked provider, in place of the password.
struct ProviderProofService: Sendable {
    let database: Database
    let clock: any WallClock

    /// Stores a proof for one act of the session, where the identity is the account's.
    func prove(
        _ act: SensitiveAct, by identity: ProvenIdentity, of person: PersonID, session: ID<Session>
    ) async throws -> ProviderOutcome.Result {
        let now = clock.now
        return try await database.write { tx in
            guard try SessionStore.isOpen(session, of: person, in: tx) else { return .refused(.expired) }
            guard try IdentityStore.person(identity, in: tx) == person else { return .refused(.stranger) }
            try ProofStore.insert(act, of: session, now: now, in: tx)
            return .confirmed
        }
    }
}
