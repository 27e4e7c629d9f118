import Kernel
import Storage

/// The table `access_token`.
enum AccessTokenStore {
    private static let columns: SQL = "id, name, scopes, created_at, expires_at, last_used_at"

    /// Returns the valid token of a secret, and its person.
    static func token(
        hash: [UInt8], now: Instant, in tx: Transaction
    ) throws -> (token: AccessToken, person: PersonID)? {
        try tx.row(
            """
            SELECT \(sql: columns), account_id FROM access_token
            WHERE token_hash = \(hash) AND expires_at > \(now)
            """
        ).map { (try read($0), try $0.get("account_id")) }
    }

    /// Returns a person's tokens, the newest first, including those that expired recently.
    static func tokens(of person: PersonID, in tx: Transaction) throws -> [AccessToken] {
        try tx.rows(
            """
            SELECT \(sql: columns) FROM access_token WHERE account_id = \(person)
            ORDER BY id DESC LIMIT \(Limits.accessTokensPerAccount)
            """
        ).map(read)
    }

    static func count(of person: PersonID, in tx: Transaction) throws -> Int {
        try tx.row("SELECT COUNT(*) AS tokens FROM access_token WHERE account_id = \(person)")?.get("tokens") ?? 0
    }

    static func insert(_ token: AccessToken, hash: [UInt8], of person: PersonID, in tx: Transaction) throws {
        try tx.execute(
            """
            INSERT INTO access_token (id, account_id, token_hash, name, scopes, created_at, expires_at)
            VALUES (
                \(token.id), \(person), \(hash), \(token.name), \(token.scopes.text), \(token.createdAt),
                \(token.expiresAt)
            )
            """
        )
    }

    static func touch(_ id: ID<AccessToken>, now: Instant, in tx: Transaction) throws {
        try tx.execute(
            """
            UPDATE access_token SET last_used_at = \(now)
            WHERE id = \(id) AND (last_used_at IS NULL OR last_used_at < \(now))
            """
        )
    }

    /// Returns tokens that expire until `instant` and whose people weren't reminded yet, and marks them. Tokens with a
    /// short life are left out.
    static func remind(until instant: Instant, now: Instant, in tx: Transaction) throws -> [AccessTokenReminder] {
        try tx.rows(
            """
            UPDATE access_token SET reminded_at = \(now) WHERE id IN (
                SELECT id FROM access_token
                WHERE expires_at > \(now) AND expires_at < \(instant) AND reminded_at IS NULL
                    AND expires_at - created_at > \(2 * Limits.accessTokenReminderSeconds * 1_000)
                ORDER BY expires_at LIMIT \(Limits.accessTokenReminders)
            ) AND reminded_at IS NULL RETURNING name, account_id
            """
        ).map { row in
            AccessTokenReminder(name: try row.get("name"), person: try row.get("account_id"))
        }
    }

    /// Returns whether there was one.
    static func delete(_ id: ID<AccessToken>, of person: PersonID, in tx: Transaction) throws -> Bool {
        try tx.executeCounting("DELETE FROM access_token WHERE id = \(id) AND account_id = \(person)") == 1
    }

    static func deleteAll(of person: PersonID, in tx: Transaction) throws {
        try tx.execute("DELETE FROM access_token WHERE account_id = \(person)")
    }

    static func deleteAll(in tx: Transaction) throws { try tx.execute("DELETE FROM access_token") }

    static func deleteExpired(before instant: Instant, in tx: Transaction) throws {
        try tx.executeAndWait("DELETE FROM access_token WHERE expires_at < \(instant)")
    }

    private static func read(_ row: Row) throws -> AccessToken {
        AccessToken(
            id: try row.get("id"), name: try row.get("name"), scopes: Set(stored: try row.get("scopes")),
            createdAt: try row.get("created_at"), expiresAt: try row.get("expires_at"),
            lastUsedAt: try row.get("last_used_at"))
    }
}
