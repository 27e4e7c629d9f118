package import Kernel
import Storage

/// An identity at a provider that can sign in to an account.
package struct LinkedIdentity: Sendable, Equatable {
    package let provider: ProviderName
    /// The email that the provider sent when the identity was linked. A relay address where the provider hides the real
    /// one.
    package let email: String?
    package let linkedAt: Instant
}

/// The tables `identity` and `identity_offer`.
enum IdentityStore {
    /// Returns the person the identity is linked to.
    static func person(_ identity: ProvenIdentity, in tx: Transaction) throws -> PersonID? {
        try tx.row(
            """
            SELECT account_id FROM identity WHERE provider = \(identity.provider) AND issuer = \(identity.issuer)
                AND subject = \(identity.subject)
            """
        )?.get("account_id")
    }

    static func identities(of person: PersonID, in tx: Transaction) throws -> [LinkedIdentity] {
        try tx.rows(
            "SELECT provider, email, linked_at FROM identity WHERE account_id = \(person) ORDER BY linked_at, provider"
        ).map {
            LinkedIdentity(
                provider: try $0.get("provider"), email: try $0.get("email"), linkedAt: try $0.get("linked_at")
            )
        }
    }

    /// Returns false when the identity is linked already, or the person has another one of that provider.
    static func insert(
        _ identity: ProvenIdentity, of person: PersonID, now: Instant, in tx: Transaction
    ) throws -> Bool {
        try tx.executeCounting(
            """
            INSERT INTO identity (provider, issuer, subject, account_id, email, linked_at)
            VALUES (
                \(identity.provider), \(identity.issuer), \(identity.subject), \(person), \(identity.email), \(now)
            ) ON CONFLICT DO NOTHING
            """
        ) == 1
    }

    /// Returns whether there was one.
    static func delete(_ provider: ProviderName, of person: PersonID, in tx: Transaction) throws -> Bool {
        try tx.executeCounting("DELETE FROM identity WHERE provider = \(provider) AND account_id = \(person)") == 1
    }

    static func deleteAll(of person: PersonID, in tx: Transaction) throws {
        try tx.execute("DELETE FROM identity WHERE account_id = \(person)")
        try tx.execute("DELETE FROM identity_offer WHERE account_id = \(person)")
    }

    // MARK: Offers

    /// Stores an identity until the account's owner signs in another way to link it.
    static func insertOffer(
        _ identity: ProvenIdentity, to person: PersonID, codeHash: [UInt8], expiresAt: Instant, in tx: Transaction
    ) throws {
        try tx.execute(
            "DELETE FROM identity_offer WHERE account_id = \(person) AND provider = \(identity.provider)")
        try tx.execute(
            """
            INSERT INTO identity_offer (code_hash, account_id, provider, issuer, subject, email, expires_at)
            VALUES (
                \(codeHash), \(person), \(identity.provider), \(identity.issuer), \(identity.subject),
                \(identity.email), \(expiresAt)
            )
            """
        )
    }

    /// Returns the offer of a code without using it up.
    static func offer(
        _ codeHash: [UInt8], now: Instant, in tx: Transaction
    ) throws -> (provider: ProviderName, email: String?)? {
        let row = try tx.row(
            "SELECT provider, email FROM identity_offer WHERE code_hash = \(codeHash) AND expires_at > \(now)"
        )
        return try row.map { (provider: try $0.get("provider"), email: try $0.get("email")) }
    }

    /// Uses up an offer. `nil` when it is gone, expired or another account's.
    static func consumeOffer(
        _ codeHash: [UInt8], of person: PersonID, now: Instant, in tx: Transaction
    ) throws -> ProvenIdentity? {
        let row = try tx.row(
            """
            DELETE FROM identity_offer
            WHERE code_hash = \(codeHash) AND account_id = \(person) AND expires_at > \(now)
            RETURNING provider, issuer, subject, email
            """
        )
        return try row.map {
            ProvenIdentity(
                provider: try $0.get("provider"), issuer: try $0.get("issuer"), subject: try $0.get("subject"),
                email: try $0.get("email"), isEmailVerified: false, name: nil
            )
        }
    }
}
