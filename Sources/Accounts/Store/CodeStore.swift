import Kernel
import Storage

/// The tables `password_reset` and `email_verification`: links that work once and expire.
enum CodeStore {
    /// - Parameter administrator: who created the link for the person; `nil` for the person.
    static func addReset(
        _ hash: [UInt8], for person: PersonID, by administrator: PersonID?, expiresAt: Instant, in tx: Transaction
    ) throws {
        try tx.execute("DELETE FROM password_reset WHERE account_id = \(person)")
        try tx.execute(
            """
            INSERT INTO password_reset (code_hash, account_id, created_by, expires_at)
            VALUES (\(hash), \(person), \(administrator), \(expiresAt))
            """
        )
    }

    /// Returns the person of a valid code.
    static func personOfReset(_ hash: [UInt8], now: Instant, in tx: Transaction) throws -> PersonID? {
        try tx.row("SELECT account_id FROM password_reset WHERE code_hash = \(hash) AND expires_at > \(now)")?
            .get("account_id")
    }

    /// Uses up the code. `nil` when it is used or expired.
    static func takeReset(_ hash: [UInt8], now: Instant, in tx: Transaction) throws -> PersonID? {
        let row = try tx.row(
            "DELETE FROM password_reset WHERE code_hash = \(hash) AND expires_at > \(now) RETURNING account_id"
        )
        return try row?.get("account_id")
    }

    static func removeResets(of person: PersonID, in tx: Transaction) throws {
        try tx.execute("DELETE FROM password_reset WHERE account_id = \(person)")
    }

    /// Revokes the links that an administrator created for others.
    static func removeResets(createdBy administrator: PersonID, in tx: Transaction) throws {
        try tx.execute("DELETE FROM password_reset WHERE created_by = \(administrator)")
    }

    static func addVerification(
        _ hash: [UInt8], for person: PersonID, emailKey: String, expiresAt: Instant, in tx: Transaction
    ) throws {
        try tx.execute("DELETE FROM email_verification WHERE account_id = \(person)")
        try tx.execute(
            """
            INSERT INTO email_verification (code_hash, account_id, email_key, expires_at)
            VALUES (\(hash), \(person), \(emailKey), \(expiresAt))
            """
        )
    }

    static func takeVerification(
        _ hash: [UInt8], now: Instant, in tx: Transaction
    ) throws -> (person: PersonID, emailKey: String)? {
        let row = try tx.row(
            """
            DELETE FROM email_verification WHERE code_hash = \(hash) AND expires_at > \(now)
            RETURNING account_id, email_key
            """
        )
        return try row.map { (person: try $0.get("account_id"), emailKey: try $0.get("email_key")) }
    }

    static func removeVerifications(of person: PersonID, in tx: Transaction) throws {
        try tx.execute("DELETE FROM email_verification WHERE account_id = \(person)")
    }

    static func deleteExpired(now: Instant, in tx: Transaction) throws {
        try tx.executeAndWait("DELETE FROM password_reset WHERE expires_at <= \(now)")
        try tx.executeAndWait("DELETE FROM email_verification WHERE expires_at <= \(now)")
    }
}
