import Foundation
import Kernel
import Storage

/// The SQL of the table `notice`, which holds the feeds.
enum NotificationStore {
    private static let insertion = FixedSQL(
        """
        INSERT INTO notice (id, account_id, kind, resource, subject, details, at, posted_at, matter)
        SELECT ?, id, ?, ?, ?, ?, ?, ?, ? FROM account WHERE id = ?
        """,
        postedWith, "matter", withdrawnWith, "matter", isBelowLimit,
        postedWith, "kind", withdrawnWith, "kind", isBelowLimit,
        """

        ON CONFLICT (id) DO NOTHING
        RETURNING EXISTS (SELECT 1 FROM push_subscription WHERE push_subscription.account_id = notice.account_id)
        """
    )

    // The parts of a condition: fewer than a limit were posted since a time with a value, withdrawn ones included. `at`
    // moves with each notification that a row counts, so it only finds the rows that `posted_at` limits.
    private static let postedWith: StaticString = """
         AND (
            SELECT COUNT(*) FROM notice n
            WHERE n.account_id = account.id AND n.at > ? AND n.posted_at > ? AND n.
        """
    private static let withdrawnWith: StaticString = """
         = ?
        ) + (
            SELECT COUNT(*) FROM notice_withdrawn w
            WHERE w.account_id = account.id AND w.posted_at > ? AND w.
        """
    private static let isBelowLimit: StaticString = " = ?) < ?"

    /// Returns the values of that condition.
    private static func values(since start: Instant, with value: String, below limit: Int) -> [SQLValue] {
        [start.sqlValue, start.sqlValue, .text(value), start.sqlValue, .text(value), .integer(Int64(limit))]
    }

    /// What became of a notification.
    enum Insertion {
        /// It is in the feed.
        case inserted(hasDevice: Bool)
        /// Above the limits: an earlier one took its content and counts it. If all earlier ones are withdrawn, it is in
        /// the feed itself.
        case counted
    }

    /// Adds a notification to its person's feed, as far as its kind's ``FloodRule`` permits.
    /// - Parameter done: called, perhaps later in the transaction; not called if the notification exists or the account
    ///   doesn't.
    static func insert(
        _ notice: Notice, in tx: Transaction, done: @escaping (Insertion) throws -> Void
    ) throws {
        let (rule, matter) = (notice.kind.floodRule, notice.matter)
        let details = try DetailsJSON.text(notice.details)
        try tx.rowsLater(
            insertion,
            [
                notice.id.sqlValue, .text(notice.kind.rawValue), .text(notice.resource), notice.subject.sqlValue,
                .text(details), notice.at.sqlValue, notice.at.sqlValue, .text(matter), notice.person.sqlValue,
            ] + values(since: notice.matterStart, with: matter, below: rule.perMatter)
                + values(since: notice.dayStart, with: notice.kind.rawValue, below: rule.perDay)
        ) { [unowned tx] rows in
            if let row = rows.first {
                try recordPeople(of: notice, in: "id = \(notice.id)", in: tx)
                try done(.inserted(hasDevice: row.get(at: 0)))
            } else if try count(notice, matter, details, in: tx) {
                let counting: SQL = "account_id = \(notice.person) AND newest_id = \(notice.id)"
                try tx.execute(
                    "DELETE FROM notice_person WHERE notice_id IN (SELECT id FROM notice WHERE \(sql: counting))")
                try recordPeople(of: notice, in: counting, in: tx)
                try done(.counted)
            } else if try insertQuietly(notice, matter, details, in: tx) {
                try recordPeople(of: notice, in: "id = \(notice.id)", in: tx)
                try done(.counted)
            }
        }
    }

    /// Stores whose names a notification has.
    /// - Parameter condition: finds the row that has its content.
    private static func recordPeople(of notice: Notice, in condition: SQL, in tx: Transaction) throws {
        for (detail, person) in notice.people {
            try tx.execute(
                """
                INSERT INTO notice_person (notice_id, detail, person_id)
                SELECT id, \(detail), \(person) FROM notice WHERE \(sql: condition)
                """
            )
        }
    }

    /// Removes a person's name from other people's notifications.
    static func forget(_ person: PersonID, in tx: Transaction) throws {
        // The deletion may have posted notifications.
        try tx.useLaterRows()
        let rows = try tx.rows(
            """
            SELECT n.id, n.subject, n.details, p.detail FROM notice_person p JOIN notice n ON n.id = p.notice_id
            WHERE p.person_id = \(person) ORDER BY n.id
            """
        )
        for row in rows {
            let id: ID<Notice> = try row.get("id")
            let detail: String = try row.get("detail")
            if detail == Notice.subjectKey {
                try tx.execute("UPDATE notice SET subject = '' WHERE id = \(id)")
            } else {
                var details = DetailsJSON.details(try row.get("details"))
                details[detail] = ""
                try tx.execute("UPDATE notice SET details = \(try DetailsJSON.text(details)) WHERE id = \(id)")
            }
        }
        try tx.execute("DELETE FROM notice_person WHERE person_id = \(person)")
    }

    /// Gives the content of a notification to the newest one of its matter, else of its kind, which counts it.
    /// - Returns: `false` if there is none, or if it counted this one before.
    private static func count(
        _ notice: Notice, _ matter: String, _ details: String, in tx: Transaction
    ) throws -> Bool {
        try tx.executeCounting(
            """
            UPDATE notice SET resource = \(notice.resource), subject = \(notice.subject), details = \(details),
                at = \(notice.at), matter = \(matter), newest_id = \(notice.id), further = further + 1, read_at = NULL
            WHERE id = (
                SELECT id FROM notice
                WHERE account_id = \(notice.person) AND kind = \(notice.kind.rawValue) AND at > \(notice.dayStart)
                ORDER BY CASE WHEN matter = \(matter) THEN 0 ELSE 1 END, at DESC, id DESC LIMIT 1
            ) AND (newest_id IS NULL OR newest_id <> \(notice.id))
                AND NOT EXISTS (SELECT 1 FROM notice known WHERE known.id = \(notice.id))
            """
        ) > 0
    }

    /// Adds a notification above the limits to the feed, because all earlier ones are withdrawn.
    /// - Returns: `false` if it was posted or counted before, or the account doesn't exist.
    private static func insertQuietly(
        _ notice: Notice, _ matter: String, _ details: String, in tx: Transaction
    ) throws -> Bool {
        try tx.executeCounting(
            """
            INSERT INTO notice (id, account_id, kind, resource, subject, details, at, posted_at, matter)
            SELECT \(notice.id), id, \(notice.kind.rawValue), \(notice.resource), \(notice.subject), \(details),
                \(notice.at), \(notice.at), \(matter) FROM account
            WHERE id = \(notice.person) AND NOT EXISTS (
                SELECT 1 FROM notice known WHERE known.account_id = account.id AND known.newest_id = \(notice.id))
            ON CONFLICT (id) DO NOTHING
            """
        ) > 0
    }

    /// Deletes a person's notifications about what is over. The limits of ``FloodRule`` go on counting them.
    /// - Parameter condition: finds the rows.
    /// - Returns: whether there were any.
    static func withdraw(_ condition: SQL, from person: PersonID, in tx: Transaction) throws -> Bool {
        // Mostly there are none, so that one statement is enough.
        let withdrawn = try tx.rows(
            """
            DELETE FROM notice WHERE account_id = \(person) AND (\(sql: condition))
            RETURNING id, kind, matter, posted_at
            """
        )
        for row in withdrawn {
            guard let matter: String = try row.get("matter") else { continue }
            let (id, kind): (ID<Notice>, String) = (try row.get("id"), try row.get("kind"))
            let postedAt: Instant = try row.get("posted_at")
            try tx.execute(
                """
                INSERT INTO notice_withdrawn (notice_id, account_id, kind, matter, posted_at)
                VALUES (\(id), \(person), \(kind), \(matter), \(postedAt)) ON CONFLICT (notice_id) DO NOTHING
                """
            )
        }
        return !withdrawn.isEmpty
    }

    /// Deletes up to ``Limits/housekeepingBatch`` withdrawn notifications that no limit counts any more.
    /// - Returns: the number of deleted rows.
    static func trimWithdrawn(before instant: Instant, in tx: Transaction) throws -> Int {
        try tx.executeCounting(
            """
            DELETE FROM notice_withdrawn WHERE notice_id IN (
                SELECT notice_id FROM notice_withdrawn WHERE posted_at < \(instant) LIMIT \(Limits.housekeepingBatch))
            """
        )
    }

    /// Returns the people whose feed got notifications since `instant`, after `person` in the order of ids.
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

    /// Deletes the oldest notifications above ``Limits/noticesPerPerson``, at most ``Limits/housekeepingBatch`` of
    /// them.
    /// - Parameter instant: deletes only older notifications. If a node's clock is slow, its latest notification may
    ///   look like the oldest.
    /// - Returns: the number of deleted notifications.
    static func trim(_ person: PersonID, before instant: Instant, in tx: Transaction) throws -> Int {
        let count: Int = try tx.row("SELECT COUNT(*) AS n FROM notice WHERE account_id = \(person)")?.get("n") ?? 0
        let excess = min(count - Limits.noticesPerPerson, Limits.housekeepingBatch)
        guard excess > 0 else { return 0 }
        return try tx.executeCounting(
            """
            DELETE FROM notice WHERE id IN (
                SELECT id FROM notice WHERE account_id = \(person) AND at < \(instant) ORDER BY at, id LIMIT \(excess)
            )
            """
        )
    }

    /// Returns a page of a person's feed, newest first.
    static func page(of person: PersonID, after: FeedCursor?, limit: Int, in tx: Transaction) throws -> [FeedEntry] {
        let older: SQL = after.map { "AND (at < \($0.at) OR (at = \($0.at) AND id < \($0.id)))" } ?? SQL()
        let rows = try tx.rows(
            """
            SELECT id, account_id, kind, resource, subject, details, at, read_at, further FROM notice
            WHERE account_id = \(person) \(sql: older) ORDER BY at DESC, id DESC LIMIT \(limit)
            """
        )
        return try rows.compactMap(entry)
    }

    /// Returns a page of a person's feed, newest first, and the cursor of the next page.
    static func feed(
        of person: PersonID, after: FeedCursor?, limit: Int, in tx: Transaction
    ) throws -> (items: [FeedEntry], next: String?) {
        let entries = try page(of: person, after: after, limit: limit + 1, in: tx)
        let items = Array(entries.prefix(limit))
        return (items, entries.count > limit ? items.last.map { FeedCursor($0).text } : nil)
    }

    static func unread(of person: PersonID, in tx: Transaction) throws -> Int {
        try tx.row("SELECT COUNT(*) AS n FROM notice WHERE account_id = \(person) AND read_at IS NULL")?.get("n") ?? 0
    }

    /// Marks notifications as read.
    /// - Parameters:
    ///   - id: one notification; `nil` for all.
    ///   - until: the inclusive upper bound of their time.
    /// - Returns: the number of notifications that were unread.
    static func markRead(
        _ id: ID<Notice>?, until: Instant?, of person: PersonID, now: Instant, in tx: Transaction
    ) throws -> Int {
        let one: SQL = id.map { "AND id = \($0)" } ?? SQL()
        let seen: SQL = until.map { "AND at <= \($0)" } ?? SQL()
        return try tx.executeCounting(
            """
            UPDATE notice SET read_at = \(now)
            WHERE account_id = \(person) AND read_at IS NULL \(sql: one)\(sql: seen)
            """
        )
    }

    static func exists(_ id: ID<Notice>, of person: PersonID, in tx: Transaction) throws -> Bool {
        try tx.row("SELECT id FROM notice WHERE id = \(id) AND account_id = \(person)") != nil
    }

    /// Returns the entry in a row; `nil` if this version doesn't know its kind.
    static func entry(_ row: Row) throws -> FeedEntry? {
        guard let kind = NoticeKind(rawValue: try row.get("kind")) else { return nil }
        var notice = Notice(
            id: try row.get("id"), person: try row.get("account_id"), kind: kind, resource: try row.get("resource"),
            subject: try row.get("subject"), details: DetailsJSON.details(try row.get("details")),
            at: try row.get("at")
        )
        notice.further = try row.get("further")
        return FeedEntry(notice: notice, readAt: try row.get("read_at"))
    }
}

extension Notice {
    fileprivate var matterStart: Instant { at.adding(seconds: -Limits.noticeMatterSeconds) }
    fileprivate var dayStart: Instant { at.adding(seconds: -Limits.daySeconds) }
}

/// The stored JSON of a notification's details.
enum DetailsJSON {
    static func text(_ details: [String: String]) throws -> String {
        let bytes = try details.json()
        guard bytes.count <= Limits.noticeDetailBytes else { throw AppError(.tooLarge, "A notification is too long.") }
        return String(decoding: bytes, as: UTF8.self)
    }

    static func details(_ text: String) -> [String: String] {
        (try? JSONDecoder().decode([String: String].self, from: Data(text.utf8))) ?? [:]
    }
}
