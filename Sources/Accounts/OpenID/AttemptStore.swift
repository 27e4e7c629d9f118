import Kernel
import Storage

/// The table `provider_attempt`: sign-ins, links and proofs that were begun at a provider and not finished yet.
enum AttemptStore {
    static func insert(
        _ attempt: StoredAttempt, stateHash: [UInt8], browserHash: [UInt8], networkHash: [UInt8], expiresAt: Instant,
        in tx: Transaction
    ) throws {
        let person = attempt.actor?.person
        let session = attempt.actor?.session
        try tx.execute(
            """
            INSERT INTO provider_attempt (
                state_hash, browser_hash, network_hash, provider, purpose, act, account_id, session_id,
                offer_hash, destination, begun_at, expires_at
            ) VALUES (
                \(stateHash), \(browserHash), \(networkHash), \(attempt.provider), \(attempt.purpose.rawValue),
                \(attempt.act?.rawValue), \(person), \(session), \(attempt.offerHash), \(attempt.destination), \(attempt.begunAt), \(expiresAt)
            )
            """
        )
    }

    /// Returns the number of open attempts from a network.
    static func count(networkHash: [UInt8], now: Instant, in tx: Transaction) throws -> Int {
        let row = try tx.row(
            """
            SELECT COUNT(*) AS attempts FROM provider_attempt
            WHERE network_hash = \(networkHash) AND expires_at > \(now)
            """
        )
        return try row?.get("attempts") ?? 0
    }

    /// Uses up an attempt. `nil` when it is already used, expired, or belongs to another provider or browser.
    static func consume(
        stateHash: [UInt8], browserHash: [UInt8], provider: ProviderName, now: Instant, in tx: Transaction
    ) throws -> StoredAttempt? {
        let row = try tx.row(
            """
            DELETE FROM provider_attempt
            WHERE state_hash = \(stateHash) AND browser_hash = \(browserHash) AND provider = \(provider)
                AND expires_at > \(now)
            RETURNING purpose, act, account_id, session_id, offer_hash, destination, begun_at
            """
        )
        guard let row, let purpose = AttemptPurpose(rawValue: try row.get("purpose")) else { return nil }
        let person: PersonID? = try row.get("account_id")
        let session: ID<Session>? = try row.get("session_id")
        let actor: (person: PersonID, session: ID<Session>)? =
            if let person, let session { (person, session) } else { nil }
        let act: String? = try row.get("act")
        return StoredAttempt(
            provider: provider, purpose: purpose, act: act.flatMap(SensitiveAct.init(rawValue:)), actor: actor,
            offerHash: try row.get("offer_hash"),
            destination: try row.get("destination"), begunAt: try row.get("begun_at")
        )
    }

    /// Deletes the attempts to link a provider or to give a proof, of all sessions of an account.
    static func deleteAll(of person: PersonID, in tx: Transaction) throws {
        try tx.execute("DELETE FROM provider_attempt WHERE account_id = \(person)")
    }

    static func deleteExpired(now: Instant, in tx: Transaction) throws {
        try tx.executeAndWait("DELETE FROM provider_attempt WHERE expires_at <= \(now)")
        try tx.executeAndWait("DELETE FROM identity_offer WHERE expires_at <= \(now)")
    }
}
