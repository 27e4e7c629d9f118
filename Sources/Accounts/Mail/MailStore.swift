import Kernel
import Storage

/// The table `mail_queue`. A row exists until its mail is accepted by the mail command or has expired.
enum MailStore {
    /// A mail to be queued.
    struct New: Sendable {
        let id: ID<QueuedMail>
        let lane: MailLane
        let sealed: [UInt8]
        let createdAt: Instant
        let expiresAt: Instant
    }

    /// A mail that this process may send now. The number of attempts distinguishes it from a later lease of the same mail.
    struct Leased: Sendable {
        let id: ID<QueuedMail>
        let attempts: Int64
        let sealed: [UInt8]
    }

    /// The result of a lease.
    enum Next: Sendable {
        case leased(Leased)
        /// Another process leased the mail first; others may be due.
        case contended
        case nothing
    }

    static func insert(_ mail: New, in tx: Transaction) throws {
        try tx.execute(
            """
            INSERT INTO mail_queue (id, lane, sealed, attempts, due_at, created_at, expires_at) VALUES (
                \(mail.id), \(mail.lane.rawValue), \(mail.sealed), 0, \(mail.createdAt), \(mail.createdAt),
                \(mail.expiresAt)
            )
            """
        )
    }

    /// Returns the number of mails in a lane, counted up to `limit`.
    static func count(_ lane: MailLane, upTo limit: Int, in tx: Transaction) throws -> Int {
        try tx.row(
            """
            SELECT COUNT(*) AS mails FROM
                (SELECT 1 AS mail FROM mail_queue WHERE lane = \(lane.rawValue) LIMIT \(limit)) AS waiting
            """
        )?.get("mails") ?? 0
    }

    /// Returns whether a mail of a lane is due. This read avoids a write for an empty queue.
    static func isAnyDue(_ lane: MailLane, now: Instant, in tx: Transaction) throws -> Bool {
        try due(lane, now: now, in: tx) != nil
    }

    /// Leases the next due mail of a lane for ``Limits/mailLeaseSeconds``.
    static func lease(_ lane: MailLane, now: Instant, in tx: Transaction) throws -> Next {
        try tx.execute("DELETE FROM mail_queue WHERE expires_at <= \(now)")
        guard let row = try due(lane, now: now, in: tx) else { return .nothing }
        let mail = Leased(
            id: try row.get("id"), attempts: try row.get("attempts", as: Int64.self) + 1, sealed: try row.get("sealed"))
        let end = now.adding(seconds: Limits.mailLeaseSeconds)
        let count = try tx.execute(
            """
            UPDATE mail_queue SET attempts = \(mail.attempts), due_at = \(end)
            WHERE id = \(mail.id) AND attempts = \(mail.attempts - 1)
            """
        )
        return count == 1 ? .leased(mail) : .contended
    }

    private static func due(_ lane: MailLane, now: Instant, in tx: Transaction) throws -> Row? {
        try tx.row(
            """
            SELECT id, attempts, sealed FROM mail_queue WHERE lane = \(lane.rawValue) AND due_at <= \(now)
            ORDER BY due_at, id LIMIT 1
            """
        )
    }

    /// Replaces a request for a mail by the rendered mail.
    static func replace(_ mail: Leased, by sealed: [UInt8], in tx: Transaction) throws {
        try tx.execute(
            "UPDATE mail_queue SET sealed = \(sealed) WHERE id = \(mail.id) AND attempts = \(mail.attempts)")
    }

    static func remove(_ mail: Leased, in tx: Transaction) throws {
        try tx.execute("DELETE FROM mail_queue WHERE id = \(mail.id) AND attempts = \(mail.attempts)")
    }

    /// Sets the instant of the next attempt.
    static func postpone(_ mail: Leased, until instant: Instant, in tx: Transaction) throws {
        try tx.execute(
            "UPDATE mail_queue SET due_at = \(instant) WHERE id = \(mail.id) AND attempts = \(mail.attempts)")
    }
}
