import Kernel
import Storage

/// Reads the ways to sign in to an account.
package struct SignInMethodReader: Sendable {
    let database: Database
    let clock: any WallClock

    /// Returns the ways to sign in to the actor's account.
    /// - Parameter act: the act for which a proof may be stored; `nil` where no proof is needed.
    package func methods(of actor: Actor, for act: SensitiveAct? = nil) async throws -> SignInMethods {
        let now = clock.now
        return try await database.read { tx in try methods(of: actor, for: act, now: now, in: tx) }
    }

    /// Returns the same within the caller's transaction.
    func methods(of actor: Actor, for act: SensitiveAct?, now: Instant, in tx: Transaction) throws -> SignInMethods {
        guard let credential = try AccountStore.credential(of: actor.person, in: tx) else { throw AppError.notFound }
        return SignInMethods(
            hasPassword: credential.password != nil,
            identities: try IdentityStore.identities(of: actor.person, in: tx),
            hasPasskeys: try PasskeyStore.count(of: actor.person, in: tx) > 0,
            isConfirmed: try act.map { try ProofStore.contains($0, of: actor.session, now: now, in: tx) } ?? false
        )
    }
}
