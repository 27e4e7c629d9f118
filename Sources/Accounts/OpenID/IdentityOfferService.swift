package import Kernel
import Storage

/// Identities whose email belongs to an existing account. Its owner can link them after signing in another way.
package struct IdentityOfferService: Sendable {
    let database: Database
    let providers: ProviderCatalog
    let identities: IdentityService
    let clock: any WallClock

    /// Returns the offered identity of a code. `nil` when the offer is gone or expired, or the provider isn't set up.
    package func offer(_ code: String) async throws -> (provider: ProviderSummary, email: String?)? {
        guard let hash = Token.hash(shown: code) else { return nil }
        let now = clock.now
        let found = try await database.read { tx in try IdentityStore.offer(hash, now: now, in: tx) }
        guard let found, let provider = try? providers.summary(of: found.provider) else { return nil }
        return (provider, found.email)
    }

    /// Links the offered identity of a code, after the account's owner signed in another way.
    /// - Returns: the provider; `nil` when the code is invalid or belongs to another account.
    package func accept(_ code: String, by person: PersonID) async throws -> ProviderName? {
        guard let hash = Token.hash(shown: code) else { return nil }
        let now = clock.now
        return try await database.write { tx in try accept(hash, by: person, now: now, in: tx) }
    }

    /// Does the same within the caller's transaction.
    func accept(_ hash: [UInt8], by person: PersonID, now: Instant, in tx: Transaction) throws -> ProviderName? {
        guard let account = try AccountStore.lockedAccount(person, in: tx), account.role == .adult,
            let identity = try IdentityStore.consumeOffer(hash, of: person, now: now, in: tx),
            try identities.insert(identity, to: account, now: now, in: tx)
        else { return nil }
        return identity.provider
    }
}
