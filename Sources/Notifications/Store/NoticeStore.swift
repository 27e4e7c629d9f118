import Foundation
import Kernel
import Storage

/// The rows of the feed.
enum NoticeStore {
    /// Puts a notice into its person's feed.
    /// - Returns: whether it wasn't there already, and there is such a person.
    static func insert(_ notice: Notice, in tx: Transaction) throws -> Bool {
        let details = try DetailsJSON.text(notice.details)
        let added = try tx.execute(
            """
            INSERT INTO notice (id, account_id, kind, resource, subject, details, at)
            SELECT \(notice.id), id, \(notice.kind.rawValue), \(notice.resource), \(notice.subject), \(details),
                \(notice.at)
            FROM account WHERE id = \(notice.person)
            ON CONFLICT (id) DO NOTHING
            """
        )
        return added == 1
    }

    /// People whose feed got notices since `instant`, after `person` in the order of ids.
    static func people(since instant: Instant, after person: PersonID?, limit: Int, in tx: Transaction) throws
        -> [PersonID]
    {
        let later: SQL = person.map { "AND account_id > \($0)" } ?? SQL()
        return try tx.rows(
            """
            SELECT DISTINCT account_id FROM notice WHERE at >= \(instant) \(sql: later)
            ORDER BY account_id LIMIT \(limit)
            """
        ).map { try $0.get("account_id") }
    }

    /// Removes the oldest that are more than ``Limits/noticesPerPerson``, at most ``Limits/housekeepingBatch`` of them.
    /// - Parameter instant: only older notifications are removed. By the clock of a node that is behind, the latest
    ///   notification may appear to be the oldest.
    /// - Returns: how many it removed.
    static func trim(_ person: PersonID, before instant: Instant, in tx: Transaction) throws -> Int {
        let count: Int = try tx.row("SELECT COUNT(*) AS n FROM notice WHERE account_id = \(person)")?.get("n") ?? 0
        let excess = min(count - Limits.noticesPerPerson, Limits.housekeepingBatch)
        guard excess > 0 else { return 0 }
        return try tx.execute(
            """
            DELETE FROM notice WHERE id IN (
                SELECT id FROM notice WHERE account_id = \(person) AND at < \(instant) ORDER BY at, id LIMIT \(excess)
            )
            """
        )
    }

    /// One page of a person's feed, newest first.
    static func page(of person: PersonID, after: FeedCursor?, limit: Int, in tx: Transaction) throws -> [FeedEntry] {
        let older: SQL = after.map { "AND (at < \($0.at) OR (at = \($0.at) AND id < \($0.id)))" } ?? SQL()
        let rows = try tx.rows(
            """
            SELECT id, account_id, kind, resource, subject, details, at, read_at FROM notice
            WHERE account_id = \(person) \(sql: older) ORDER BY at DESC, id DESC LIMIT \(limit)
            """
        )
        return try rows.compactMap(entry)
    }

    static func unread(of person: PersonID, in tx: Transaction) throws -> Int {
        try tx.row("SELECT COUNT(*) AS n FROM notice WHERE account_id = \(person) AND read_at IS NULL")?.get("n") ?? 0
    }

    /// Marks what a person has read.
    /// - Parameters:
    ///   - id: one notice; `nil` for all.
    ///   - until: only those up to here.
    /// - Returns: how many were unread.
    static func markRead(
        _ id: ID<Notice>?, until: Instant?, of person: PersonID, now: Instant, in tx: Transaction
    ) throws -> Int {
        let one: SQL = id.map { "AND id = \($0)" } ?? SQL()
        let seen: SQL = until.map { "AND at <= \($0)" } ?? SQL()
        return try tx.execute(
            """
            UPDATE notice SET read_at = \(now)
            WHERE account_id = \(person) AND read_at IS NULL \(sql: one)\(sql: seen)
            """
        )
    }

    static func exists(_ id: ID<Notice>, of person: PersonID, in tx: Transaction) throws -> Bool {
        try tx.row("SELECT id FROM notice WHERE id = \(id) AND account_id = \(person)") != nil
    }

    /// The entry in a row; `nil` for one of a kind that this version doesn't know.
    static func entry(_ row: Row) throws -> FeedEntry? {
        guard let kind = NoticeKind(rawValue: try row.get("kind")) else { return nil }
        let notice = Notice(
            id: try row.get("id"), person: try row.get("account_id"), kind: kind, resource: try row.get("resource"),
            subject: try row.get("subject"), details: DetailsJSON.details(try row.get("details")),
            at: try row.get("at")
        )
        return FeedEntry(notice: notice, readAt: try row.get("read_at"))
    }
}

/// Details as they are kept.
enum DetailsJSON {
    static func text(_ details: [String: String]) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let bytes = try encoder.encode(details)
        guard bytes.count <= Limits.noticeDetailBytes else { throw AppError(.tooLarge, "A notice is too long.") }
        return String(decoding: bytes, as: UTF8.self)
    }

    static func details(_ text: String) -> [String: String] {
        (try? JSONDecoder().decode([String: String].self, from: Data(text.utf8))) ?? [:]
    }
}
