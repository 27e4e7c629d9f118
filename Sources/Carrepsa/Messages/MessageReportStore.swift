import Kernel
import Storage

/// The table `carrepsa_message_report`.
enum MessageReportStore {
    /// Returns a page of the open reports that an administrator may decide, the oldest first. An administrator doesn't
    /// see reports of their own conversations.
    static func open(
        for administrator: PersonID, after: ID<MessageReport>?, limit: Int, in tx: Transaction
    ) throws -> [MessageReport] {
        try tx.rows(
            """
            SELECT \(sql: MessageStore.columns), r.id AS report_id, r.reporter_id, r.reason,
                r.created_at AS reported_at, k.title, k.state, k.disputed_at, a.name AS author_name,
                b.name AS reporter_name
            FROM carrepsa_message_report r JOIN carrepsa_message m ON m.id = r.message_id
            JOIN carrepsa_conversation c ON c.id = m.conversation_id JOIN carrepsa_package k ON k.id = c.package_id
            LEFT JOIN account a ON a.id = m.author_id JOIN account b ON b.id = r.reporter_id
            WHERE r.closed_at IS NULL AND r.reporter_id <> \(administrator)
                AND (m.author_id IS NULL OR m.author_id <> \(administrator)) \(sql: .after(after, "r.id"))
            ORDER BY r.id LIMIT \(limit)
            """
        ).map { row in
            let stored = try MessageStore.read(row)
            let state: PackageState = try row.get("state")
            let disputedAt: Instant? = try row.get("disputed_at")
            return MessageReport(
                id: try row.get("report_id"), message: stored.message, package: stored.package,
                isInDispute: state == .travelling && disputedAt != nil, title: try row.get("title"),
                authorName: try row.get("author_name"), reporter: try row.get("reporter_id"),
                reporterName: try row.get("reporter_name"), reason: try row.get("reason"),
                createdAt: try row.get("reported_at"))
        }
    }

    static func insert(
        _ id: ID<MessageReport>, _ message: ID<PackageMessage>, by reporter: PersonID, reason: String?, now: Instant,
        in tx: Transaction
    ) throws {
        try tx.execute(
            """
            INSERT INTO carrepsa_message_report (id, message_id, reporter_id, reason, created_at)
            VALUES (\(id), \(message), \(reporter), \(reason), \(now))
            """
        )
    }

    static func exists(_ message: ID<PackageMessage>, by reporter: PersonID, in tx: Transaction) throws -> Bool {
        try tx.row(
            """
            SELECT 1 AS found FROM carrepsa_message_report WHERE message_id = \(message) AND reporter_id = \(reporter)
            """
        ) != nil
    }

    /// Closes an open report of a conversation to which the administrator is no party.
    /// - Returns: `false` if there is none.
    static func close(
        _ id: ID<MessageReport>, by administrator: PersonID, now: Instant, in tx: Transaction
    ) throws -> Bool {
        try tx.executeCounting(
            """
            UPDATE carrepsa_message_report SET closed_at = \(now), closed_by = \(administrator)
            WHERE id = \(id) AND closed_at IS NULL AND reporter_id <> \(administrator)
                AND NOT EXISTS (SELECT 1 FROM carrepsa_message m
                    WHERE m.id = carrepsa_message_report.message_id AND m.author_id = \(administrator))
            """
        ) > 0
    }
}
