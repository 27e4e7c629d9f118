import Kernel
import Storage

/// The table `proof`: one row per session and act, for ten minutes.
enum ProofStore {
    static func insert(_ act: SensitiveAct, of session: ID<Session>, now: Instant, in tx: Transaction) throws {
        let expiry = now.adding(seconds: Limits.proofSeconds)
        try tx.execute(
            """
            INSERT INTO proof (session_id, act, expires_at) VALUES (\(session), \(act.rawValue), \(expiry))
            ON CONFLICT (session_id, act) DO UPDATE SET expires_at = excluded.expires_at
            """
        )
    }

    static func contains(_ act: SensitiveAct, of session: ID<Session>, now: Instant, in tx: Transaction) throws -> Bool
    {
        try tx.row(
            """
            SELECT 1 AS found FROM proof
            WHERE session_id = \(session) AND act = \(act.rawValue) AND expires_at > \(now)
            """
        ) != nil
    }

    /// Deletes a proof. Returns whether there was a valid one.
    static func consume(_ act: SensitiveAct, of session: ID<Session>, now: Instant, in tx: Transaction) throws -> Bool {
        try tx.executeCounting(
            "DELETE FROM proof WHERE session_id = \(session) AND act = \(act.rawValue) AND expires_at > \(now)"
        ) == 1
    }

    /// Deletes the proofs of all sessions of an account.
    static func deleteAll(of person: PersonID, in tx: Transaction) throws {
        try tx.execute(
            "DELETE FROM proof WHERE session_id IN (SELECT id FROM session WHERE account_id = \(person))")
    }

    static func deleteExpired(now: Instant, in tx: Transaction) throws {
        try tx.executeAndWait("DELETE FROM proof WHERE expires_at <= \(now)")
    }
}
