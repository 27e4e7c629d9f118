import Kernel
import Storage

extension SignInCode.State: SQLBindable, SQLReadable {}

/// A row of `family_code`.
struct StoredSignInCode: Sendable, Hashable {
    let id: ID<SignInCode>
    let child: PersonID
    let expiresAt: Instant
    let outcome: SignInCode.State?

    func state(_ now: Instant) -> SignInCode.State { outcome ?? (now < expiresAt ? .open : .expired) }
}

/// The table `family_code`: the hashes and states of children's sign-in codes.
enum SignInCodeStore {
    private static let columns: SQL = "id, child_id, expires_at, outcome"

    static func insert(
        _ id: ID<SignInCode>, child: PersonID, hash: [UInt8], now: Instant, expiresAt: Instant, in tx: Transaction
    ) throws {
        try tx.execute(
            """
            INSERT INTO family_code (id, child_id, hash, created_at, expires_at)
            VALUES (\(id), \(child), \(hash), \(now), \(expiresAt))
            """
        )
    }

    static func find(hash: [UInt8], in tx: Transaction) throws -> StoredSignInCode? {
        try tx.row("SELECT \(sql: columns) FROM family_code WHERE hash = \(hash)").map(read)
    }

    static func find(_ id: ID<SignInCode>, of child: PersonID, in tx: Transaction) throws -> StoredSignInCode? {
        try tx.row("SELECT \(sql: columns) FROM family_code WHERE id = \(id) AND child_id = \(child)").map(read)
    }

    /// Closes the child's open code, if there is one.
    /// - Returns: whether there was one.
    static func close(of child: PersonID, as outcome: SignInCode.State, now: Instant, in tx: Transaction) throws -> Bool
    {
        try tx.executeCounting(
            """
            UPDATE family_code SET closed_at = \(now), outcome = \(outcome)
            WHERE child_id = \(child) AND closed_at IS NULL
            """
        ) > 0
    }

    /// Deletes the oldest closed codes beyond `limit`. The open code is the newest.
    static func deleteBeyond(_ limit: Int, of child: PersonID, in tx: Transaction) throws {
        try tx.execute(
            """
            DELETE FROM family_code WHERE child_id = \(child) AND closed_at IS NOT NULL AND id NOT IN (
                SELECT id FROM family_code WHERE child_id = \(child) ORDER BY id DESC LIMIT \(limit)
            )
            """
        )
    }

    static func deleteAll(of child: PersonID, in tx: Transaction) throws {
        try tx.execute("DELETE FROM family_code WHERE child_id = \(child)")
    }

    static func prune(expiredBefore: Instant, in tx: Transaction) throws {
        try tx.executeAndWait("DELETE FROM family_code WHERE expires_at <= \(expiredBefore)")
    }

    private static func read(_ row: Row) throws -> StoredSignInCode {
        StoredSignInCode(
            id: try row.get("id"), child: try row.get("child_id"), expiresAt: try row.get("expires_at"),
            outcome: try row.get("outcome")
        )
    }
}
