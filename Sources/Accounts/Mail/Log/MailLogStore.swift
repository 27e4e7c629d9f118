import Jobs
import Kernel
import Storage

/// The table `mail_log`.
enum MailLogStore {
    /// Inserts the result of a mail's first attempt, or replaces that of an earlier one.
    /// - Parameter account: the recipient's; `nil` without one.
    static func record(_ entry: MailLogEntry, account: PersonID?, in tx: Transaction) throws {
        try tx.execute(
            """
            INSERT INTO mail_log (
                id, account_id, recipient, kind, lane, result, message, reply_code, reply_status, attempts, updated_at
            ) VALUES (
                \(entry.id), \(account), \(entry.recipient), \(entry.kind), \(entry.lane.rawValue),
                \(entry.result.rawValue), \(entry.message?.name), \(entry.reply?.code), \(entry.reply?.status),
                \(entry.attempts), \(entry.updatedAt)
            ) ON CONFLICT (id) DO UPDATE SET
                result = excluded.result, message = excluded.message, reply_code = excluded.reply_code,
                reply_status = excluded.reply_status, attempts = excluded.attempts, updated_at = excluded.updated_at
            """
        )
    }

    /// Returns the account of a mail's recipient: the one that the mail names, or else the one with its address.
    /// - Returns: `isDeleted` for a mail about an account that no longer exists.
    static func account(of email: Email, in tx: Transaction) throws -> (account: PersonID?, isDeleted: Bool) {
        if let account = email.account.flatMap({ PersonID($0) }) {
            let isDeleted = try tx.row("SELECT 1 AS found FROM account WHERE id = \(account)") == nil
            return (account, isDeleted)
        }
        let key = EmailAddress(email.to)?.key
        return (try key.flatMap { try AccountStore.account(emailKey: $0, in: tx)?.id }, false)
    }

    /// Returns entries, the newest first. A mail that waits for another attempt has a job that isn't dead; otherwise it
    /// expired.
    static func page(after cursor: MailLogCursor?, limit: Int, in tx: Transaction) throws -> [MailLogEntry] {
        var query: SQL = """
            SELECT mail_log.id, updated_at, recipient, mail_log.kind, mail_log.lane, result, message, reply_code,
                reply_status, mail_log.attempts, CASE WHEN job.id IS NULL THEN 0 ELSE 1 END AS is_waiting
            FROM mail_log LEFT JOIN job ON job.id = mail_log.id AND job.dead_at IS NULL
            """
        if let cursor { query += " WHERE (updated_at, mail_log.id) < (\(cursor.updatedAt), \(cursor.id))" }
        query += " ORDER BY updated_at DESC, mail_log.id DESC LIMIT \(limit)"
        return try tx.rows(query).map(read)
    }

    private static func read(_ row: Row) throws -> MailLogEntry {
        let stored = MailLogEntry.Result(rawValue: try row.get("result")) ?? .failed
        let isWaiting: Bool = try row.get("is_waiting")
        let message: String? = try row.get("message")
        let code: Int? = try row.get("reply_code")
        let status: String? = try row.get("reply_status")
        return MailLogEntry(
            id: try row.get("id"), updatedAt: try row.get("updated_at"), recipient: try row.get("recipient"),
            kind: try row.get("kind"), lane: MailLane(rawValue: try row.get("lane")) ?? .account,
            result: stored == .retried && !isWaiting ? .failed : stored,
            message: message.flatMap(MailMessage.init(name:)), reply: code.map { MailReply(code: $0, status: status) },
            attempts: try row.get("attempts"))
    }

    /// Deletes entries from before an instant, and the oldest above a number.
    /// - Returns: the number of deleted rows, at most ``Limits/mailLogRowsPerStep``.
    static func prune(before: Instant, keeping count: Int, in tx: Transaction) throws -> Int {
        let surplus = try tx.row(
            "SELECT updated_at, id FROM mail_log ORDER BY updated_at DESC, id DESC LIMIT 1 OFFSET \(count)")
        var condition: SQL = "updated_at < \(before)"
        if let surplus {
            let last: Instant = try surplus.get("updated_at")
            let id: ID<NewJob> = try surplus.get("id")
            condition += " OR (updated_at, id) <= (\(last), \(id))"
        }
        var statement: SQL = "DELETE FROM mail_log WHERE id IN (SELECT id FROM mail_log WHERE "
        statement += condition
        statement += " ORDER BY updated_at, id LIMIT \(Limits.mailLogRowsPerStep))"
        return try tx.executeCounting(statement)
    }
}
