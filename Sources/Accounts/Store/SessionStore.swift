import Kernel
import Storage

/// The table `session`.
enum SessionStore {
    private static let columns: SQL = "id, account_id, kind, name, created_at, last_used_at"

    private static let columnsWithLock: SQL = """
        session.id, session.account_id, session.kind, session.name, session.created_at, session.last_used_at,
        session.locked_at, session.active_at, app_lock.lock_after_minutes
        FROM session LEFT JOIN app_lock ON app_lock.account_id = session.account_id
        """

    static func session(tokenHash: [UInt8], kind: Session.Kind, in tx: Transaction) throws -> Session? {
        try tx.row(
            """
            SELECT \(sql: columnsWithLock)
            WHERE session.token_hash = \(tokenHash) AND session.kind = \(kind.rawValue)
            """
        ).map(readWithLock)
    }

    static func session(_ id: ID<Session>, of person: PersonID, in tx: Transaction) throws -> Session? {
        try tx.row(
            "SELECT \(sql: columnsWithLock) WHERE session.id = \(id) AND session.account_id = \(person)"
        ).map(readWithLock)
    }

    /// Returns whether the session exists and isn't locked.
    static func isOpen(_ id: ID<Session>, of person: PersonID, in tx: Transaction) throws -> Bool {
        try tx.row(
            "SELECT 1 AS found FROM session WHERE id = \(id) AND account_id = \(person) AND locked_at IS NULL"
        ) != nil
    }

    static func sessions(of person: PersonID, after: String, limit: Int, in tx: Transaction) throws -> [Session] {
        try tx.rows(
            """
            SELECT \(sql: columns) FROM session
            WHERE account_id = \(person) AND id > \(after) ORDER BY id LIMIT \(limit)
            """
        ).map(read)
    }

    static func count(of person: PersonID, in tx: Transaction) throws -> Int {
        try tx.row("SELECT COUNT(*) AS sessions FROM session WHERE account_id = \(person)")?.get("sessions") ?? 0
    }

    static func insert(
        _ session: Session, tokenHash: [UInt8], by means: SignInMethod, in tx: Transaction
    ) throws {
        try tx.execute(
            """
            INSERT INTO session (id, account_id, token_hash, kind, name, signed_in_by, created_at, last_used_at, active_at)
            VALUES (
                \(session.id), \(session.person), \(tokenHash), \(session.kind.rawValue), \(session.name),
                \(means.rawValue), \(session.createdAt), \(session.lastUsedAt), \(session.createdAt)
            )
            """
        )
    }

    /// Gives a session of a kind another secret.
    /// - Returns: whether it is of that kind.
    static func replaceToken(
        of id: ID<Session>, _ kind: Session.Kind, with hash: [UInt8], in tx: Transaction
    ) throws -> Bool {
        try tx.executeCounting(
            "UPDATE session SET token_hash = \(hash) WHERE id = \(id) AND kind = \(kind.rawValue)") == 1
    }

    static func touch(_ id: ID<Session>, now: Instant, in tx: Transaction) throws {
        try tx.execute("UPDATE session SET last_used_at = \(now) WHERE id = \(id) AND last_used_at < \(now)")
    }

    /// Returns whether there was one.
    static func delete(_ id: ID<Session>, of person: PersonID, in tx: Transaction) throws -> Bool {
        try tx.executeCounting("DELETE FROM session WHERE id = \(id) AND account_id = \(person)") == 1
    }

    /// Deletes all of a person's sessions but one. Returns the deleted ones.
    static func deleteAll(of person: PersonID, except kept: ID<Session>?, in tx: Transaction) throws -> [ID<Session>] {
        let except = kept?.description ?? ""
        return try tx.rows("DELETE FROM session WHERE account_id = \(person) AND id <> \(except) RETURNING id")
            .map { try $0.get("id") }
    }

    /// Deletes the sessions of all people. Returns the deleted ones.
    static func deleteAll(in tx: Transaction) throws -> [(id: ID<Session>, person: PersonID)] {
        try tx.rows("DELETE FROM session RETURNING id, account_id")
            .map { (id: try $0.get("id"), person: try $0.get("account_id")) }
    }

    /// Deletes the least recently used sessions beyond `limit`. Returns the deleted ones.
    static func deleteBeyond(_ limit: Int, of person: PersonID, in tx: Transaction) throws -> [ID<Session>] {
        try tx.rows(
            """
            DELETE FROM session WHERE id IN (
                SELECT id FROM session WHERE account_id = \(person)
                ORDER BY last_used_at DESC, id DESC LIMIT 1000 OFFSET \(limit)
            ) RETURNING id
            """
        ).map { try $0.get("id") }
    }

    static func deleteUnused(since instant: Instant, in tx: Transaction) throws {
        try tx.executeAndWait("DELETE FROM session WHERE last_used_at < \(instant)")
    }

    private static func readWithLock(_ row: Row) throws -> Session {
        var session = try read(row)
        session.lock = SessionLock(
            lockedAt: try row.get("locked_at"), lockAfterMinutes: try row.get("lock_after_minutes"),
            activeAt: try row.get("active_at")
        )
        return session
    }

    private static func read(_ row: Row) throws -> Session {
        let kind: String = try row.get("kind")
        return Session(
            id: try row.get("id"), person: try row.get("account_id"), name: try row.get("name"),
            kind: kind == Session.Kind.bearer.rawValue ? .bearer : .cookie, createdAt: try row.get("created_at"),
            lastUsedAt: try row.get("last_used_at")
        )
    }
}
