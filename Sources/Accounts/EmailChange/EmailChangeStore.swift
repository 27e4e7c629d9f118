import Kernel
import Storage

/// The tables `email_change` and `email_undo`. They store codes only as hashes.
enum EmailChangeStore {
    // MARK: Pending changes

    /// Stores a pending change, in place of any earlier one.
    static func insert(
        _ email: EmailAddress, of person: PersonID, codeHash: [UInt8], expiresAt: Instant, in tx: Transaction
    ) throws {
        try tx.execute(
            """
            INSERT INTO email_change (account_id, email, email_key, code_hash, expires_at)
            VALUES (\(person), \(email.text), \(email.key), \(codeHash), \(expiresAt))
            ON CONFLICT (account_id) DO UPDATE SET email = excluded.email, email_key = excluded.email_key,
                code_hash = excluded.code_hash, expires_at = excluded.expires_at
            """
        )
    }

    static func person(codeHash: [UInt8], now: Instant, in tx: Transaction) throws -> PersonID? {
        try tx.row("SELECT account_id FROM email_change WHERE code_hash = \(codeHash) AND expires_at > \(now)")?
            .get("account_id")
    }

    /// Deletes a pending change and returns its address. `nil` when the code isn't the current one.
    static func consume(
        _ codeHash: [UInt8], of person: PersonID, now: Instant, in tx: Transaction
    ) throws -> EmailAddress? {
        let row = try tx.row(
            """
            DELETE FROM email_change
            WHERE account_id = \(person) AND code_hash = \(codeHash) AND expires_at > \(now) RETURNING email
            """
        )
        return try row.flatMap { EmailAddress(try $0.get("email")) }
    }

    /// Returns whether there was one.
    static func delete(of person: PersonID, in tx: Transaction) throws -> Bool {
        try tx.executeCounting("DELETE FROM email_change WHERE account_id = \(person)") == 1
    }

    // MARK: Undo

    struct Undo: Sendable {
        let person: PersonID
        let email: EmailAddress
        let verifiedAt: Instant
        let createdAt: Instant
    }

    static func countUndos(of person: PersonID, now: Instant, in tx: Transaction) throws -> Int {
        let row = try tx.row(
            "SELECT COUNT(*) AS undos FROM email_undo WHERE account_id = \(person) AND expires_at > \(now)")
        return try row?.get("undos") ?? 0
    }

    static func insert(_ undo: Undo, codeHash: [UInt8], in tx: Transaction) throws {
        let expiry = undo.createdAt.adding(seconds: Limits.emailUndoSeconds)
        try tx.execute(
            """
            INSERT INTO email_undo (code_hash, account_id, email, email_key, verified_at, created_at, expires_at)
            VALUES (
                \(codeHash), \(undo.person), \(undo.email.text), \(undo.email.key), \(undo.verifiedAt),
                \(undo.createdAt), \(expiry)
            )
            """
        )
    }

    static func undo(_ codeHash: [UInt8], now: Instant, in tx: Transaction) throws -> Undo? {
        let row = try tx.row(
            """
            SELECT account_id, email, verified_at, created_at FROM email_undo
            WHERE code_hash = \(codeHash) AND expires_at > \(now)
            """
        )
        return try row.flatMap { row in
            guard let email = EmailAddress(try row.get("email")) else { return nil }
            return Undo(
                person: try row.get("account_id"), email: email, verifiedAt: try row.get("verified_at"),
                createdAt: try row.get("created_at"))
        }
    }

    /// Deletes an undo and all later ones. Earlier ones stay. Returns whether it still existed.
    static func use(_ undo: Undo, codeHash: [UInt8], in tx: Transaction) throws -> Bool {
        guard try tx.executeCounting("DELETE FROM email_undo WHERE code_hash = \(codeHash)") == 1 else { return false }
        try tx.execute(
            "DELETE FROM email_undo WHERE account_id = \(undo.person) AND created_at >= \(undo.createdAt)")
        return true
    }

    /// Returns the account to which an address may still return by an undo.
    static func holder(emailKey: String, now: Instant, in tx: Transaction) throws -> PersonID? {
        try tx.row(
            """
            SELECT account_id FROM email_undo WHERE email_key = \(emailKey) AND expires_at > \(now)
            ORDER BY created_at LIMIT 1
            """
        )?.get("account_id")
    }

    static func deleteExpired(now: Instant, in tx: Transaction) throws {
        try tx.executeAndWait("DELETE FROM email_change WHERE expires_at <= \(now)")
        try tx.executeAndWait("DELETE FROM email_undo WHERE expires_at <= \(now)")
    }
}
