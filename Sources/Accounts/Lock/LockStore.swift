import Kernel
import Storage

/// The tables `app_lock` and `app_lock_offer`, and the lock columns of `session`.
enum LockStore {
    struct Lock: Sendable {
        let passcode: String
        let setAt: Instant
        let lockAfterMinutes: Int
        var counter: PasscodeCounter
        let touchID: Bool?
    }

    /// The facts that decide whether a session may change the passcode without the current one.
    struct SessionLockState: Sendable {
        let means: String
        let createdAt: Instant
        let wasLocked: Bool
        let lockedAt: Instant?

        /// Whether the session signed in by password after the passcode was set, and was never locked.
        func isFresh(for lock: Lock) -> Bool {
            means == SignInMethod.password.rawValue && createdAt > lock.setAt && !wasLocked && lockedAt == nil
        }
    }

    private static let columns: SQL = "passcode, set_at, lock_after_minutes, wrong_tries, wait_until, touch_id"

    static func lock(of person: PersonID, in tx: Transaction) throws -> Lock? {
        try tx.row("SELECT \(sql: columns) FROM app_lock WHERE account_id = \(person)").map(read)
    }

    /// Reads the lock and holds its row until the transaction ends.
    static func lockForUpdate(of person: PersonID, in tx: Transaction) throws -> Lock? {
        try tx.row("SELECT \(sql: columns) FROM app_lock WHERE account_id = \(person) \(sql: tx.forUpdate)").map(read)
    }

    /// Returns whether there was none before.
    static func insert(_ passcode: String, of person: PersonID, now: Instant, in tx: Transaction) throws -> Bool {
        try tx.executeCounting(
            """
            INSERT INTO app_lock (account_id, passcode, set_at, lock_after_minutes)
            VALUES (\(person), \(passcode), \(now), \(Limits.usualLockAfterMinutes))
            ON CONFLICT (account_id) DO NOTHING
            """
        ) == 1
    }

    /// Replaces the passcode and resets the wrong tries.
    static func replace(_ passcode: String, of person: PersonID, now: Instant, in tx: Transaction) throws {
        try tx.execute(
            """
            UPDATE app_lock SET passcode = \(passcode), set_at = \(now), wrong_tries = 0, wait_until = NULL
            WHERE account_id = \(person)
            """
        )
    }

    static func write(_ counter: PasscodeCounter, of person: PersonID, in tx: Transaction) throws {
        try tx.execute(
            """
            UPDATE app_lock SET wrong_tries = \(counter.wrongTries), wait_until = \(counter.waitUntil)
            WHERE account_id = \(person)
            """
        )
    }

    static func setLockAfter(_ minutes: Int, of person: PersonID, in tx: Transaction) throws -> Bool {
        try tx.executeCounting("UPDATE app_lock SET lock_after_minutes = \(minutes) WHERE account_id = \(person)") == 1
    }

    static func delete(of person: PersonID, in tx: Transaction) throws {
        try tx.execute("DELETE FROM app_lock WHERE account_id = \(person)")
    }

    // MARK: The offer

    static func decline(_ person: PersonID, now: Instant, in tx: Transaction) throws {
        try tx.execute(
            """
            INSERT INTO app_lock_offer (account_id, declined_at) VALUES (\(person), \(now))
            ON CONFLICT (account_id) DO NOTHING
            """
        )
    }

    static func hasDeclined(_ person: PersonID, in tx: Transaction) throws -> Bool {
        try tx.row("SELECT 1 AS found FROM app_lock_offer WHERE account_id = \(person)") != nil
    }

    // MARK: Sessions

    static func facts(of session: ID<Session>, person: PersonID, in tx: Transaction) throws -> SessionLockState? {
        try tx.row(
            """
            SELECT signed_in_by, created_at, was_locked, locked_at FROM session
            WHERE id = \(session) AND account_id = \(person)
            """
        ).map { row in
            SessionLockState(
                means: try row.get("signed_in_by"), createdAt: try row.get("created_at"),
                wasLocked: try row.get("was_locked"), lockedAt: try row.get("locked_at")
            )
        }
    }

    /// Returns whether the session was unlocked before.
    static func lock(_ session: ID<Session>, of person: PersonID, now: Instant, in tx: Transaction) throws -> Bool {
        try tx.executeCounting(
            """
            UPDATE session SET locked_at = \(now), was_locked = 1
            WHERE id = \(session) AND account_id = \(person) AND locked_at IS NULL
            """
        ) == 1
    }

    static func unlock(_ session: ID<Session>, of person: PersonID, now: Instant, in tx: Transaction) throws -> Bool {
        try tx.executeCounting(
            """
            UPDATE session SET locked_at = NULL, active_at = \(now)
            WHERE id = \(session) AND account_id = \(person) AND locked_at IS NOT NULL
            """
        ) == 1
    }

    static func unlockAll(of person: PersonID, in tx: Transaction) throws -> [ID<Session>] {
        try tx.rows(
            "UPDATE session SET locked_at = NULL WHERE account_id = \(person) AND locked_at IS NOT NULL RETURNING id"
        ).map { try $0.get("id") }
    }

    /// Starts the inactivity time of all sessions. It isn't recorded without a passcode.
    static func startTime(of person: PersonID, now: Instant, in tx: Transaction) throws {
        try tx.execute("UPDATE session SET active_at = \(now) WHERE account_id = \(person)")
    }

    static func touch(_ session: ID<Session>, now: Instant, in tx: Transaction) throws {
        try tx.execute("UPDATE session SET active_at = \(now) WHERE id = \(session) AND active_at < \(now)")
    }

    /// Returns unlocked browser sessions that were inactive for too long.
    static func overdue(
        now: Instant, limit: Int, in tx: Transaction
    ) throws -> [(session: ID<Session>, person: PersonID)] {
        try tx.rows(
            """
            SELECT session.id, session.account_id FROM app_lock
            JOIN session ON session.account_id = app_lock.account_id
            WHERE session.kind = 'cookie' AND session.locked_at IS NULL
                AND session.active_at + app_lock.lock_after_minutes * 60000 <= \(now)
            ORDER BY session.account_id, session.id LIMIT \(limit)
            """
        ).map { (try $0.get("id"), try $0.get("account_id")) }
    }

    private static func read(_ row: Row) throws -> Lock {
        Lock(
            passcode: try row.get("passcode"), setAt: try row.get("set_at"),
            lockAfterMinutes: try row.get("lock_after_minutes"),
            counter: PasscodeCounter(wrongTries: try row.get("wrong_tries"), waitUntil: try row.get("wait_until")),
            touchID: try row.get("touch_id")
        )
    }
}
