import Kernel
import Storage

/// The table `finder_report`.
enum FinderReportStore {
    private static let columns: SQL = """
        id, message, latitude, longitude, accuracy, reply, replied_at, version, created_at
        """

    /// An item's reports, newest first.
    static func page(
        of item: ID<Item>, before: ID<FinderReport>?, limit: Int, in tx: Transaction
    ) throws -> [FinderReport] {
        let older: SQL = before.map { "AND id < \($0)" } ?? SQL()
        return try tx.rows(
            """
            SELECT \(sql: columns) FROM finder_report WHERE item_id = \(item) \(sql: older)
            ORDER BY id DESC LIMIT \(limit)
            """
        ).map(read)
    }

    static func one(_ id: ID<FinderReport>, of item: ID<Item>, in tx: Transaction) throws -> FinderReport? {
        try tx.row("SELECT \(sql: columns) FROM finder_report WHERE id = \(id) AND item_id = \(item)").map(read)
    }

    /// Returns the report and locks its row until the transaction ends.
    /// - Throws: `AppError.notFound`.
    static func lock(_ id: ID<FinderReport>, of item: ID<Item>, in tx: Transaction) throws -> FinderReport {
        let row = try tx.row(
            """
            SELECT \(sql: columns) FROM finder_report WHERE id = \(id) AND item_id = \(item) \(sql: tx.forUpdate)
            """
        )
        guard let row else { throw AppError.notFound }
        return try read(row)
    }

    /// The report of a finder's secret.
    static func report(ofHash hash: [UInt8], in tx: Transaction) throws -> FinderReport? {
        try tx.row("SELECT \(sql: columns) FROM finder_report WHERE secret_hash = \(hash)").map(read)
    }

    static func count(of item: ID<Item>, in tx: Transaction) throws -> Int {
        try tx.row("SELECT COUNT(*) AS total FROM finder_report WHERE item_id = \(item)")?.get("total") ?? 0
    }

    /// Stores a report, unless one with the same secret is stored.
    /// - Returns: Whether it was stored.
    static func insert(
        _ report: FinderReport, hash: [UInt8], of item: ID<Item>, in tx: Transaction
    ) throws -> Bool {
        try tx.executeCounting(
            """
            INSERT INTO finder_report (
                id, item_id, secret_hash, message, latitude, longitude, accuracy, version, created_at
            ) VALUES (
                \(report.id), \(item), \(hash), \(report.message), \(report.place?.latitude),
                \(report.place?.longitude), \(report.accuracyMetres), \(report.version), \(report.createdAt)
            ) ON CONFLICT (secret_hash) DO NOTHING
            """
        ) > 0
    }

    static func reply(_ text: String, to id: ID<FinderReport>, now: Instant, in tx: Transaction) throws {
        try tx.execute(
            """
            UPDATE finder_report SET reply = \(text), replied_at = \(now), version = version + 1 WHERE id = \(id)
            """
        )
    }

    static func delete(_ id: ID<FinderReport>, in tx: Transaction) throws {
        try tx.execute("DELETE FROM finder_report WHERE id = \(id)")
    }

    static func prune(before: Instant, in tx: Transaction) throws {
        try tx.executeAndWait("DELETE FROM finder_report WHERE created_at <= \(before)")
    }

    private static func read(_ row: Row) throws -> FinderReport {
        let latitude: Double? = try row.get("latitude")
        let longitude: Double? = try row.get("longitude")
        let place = latitude.flatMap { latitude in
            longitude.flatMap { Coordinate(latitude: latitude, longitude: $0) }
        }
        return FinderReport(
            id: try row.get("id"), message: try row.get("message"), place: place,
            accuracyMetres: try row.get("accuracy"), reply: try row.get("reply"), repliedAt: try row.get("replied_at"),
            version: try row.get("version"), createdAt: try row.get("created_at")
        )
    }
}
