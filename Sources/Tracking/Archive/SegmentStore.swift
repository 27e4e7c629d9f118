import Kernel
import Pictures
import Storage

/// The table `fix_segment`, the segment of each fix, and the time at which a track is archived next.
///
/// One transaction cuts a segment: it inserts the row and marks the fixes with the segment's number. From then on the
/// segment's content is fixed for every writer and every attempt.
enum SegmentStore {
    /// A segment that the holder of the claim writes.
    struct Claim: Sendable {
        let number: Int64
        let until: Instant
    }

    struct Entry: Sendable {
        let number: Int64
        let id: ID<FixSegment>
        let item: ID<Item>
        let series: Int64
        let device: String
        let source: FixSource
        let day: Int64
        let key: String
        let isWritten: Bool
        let digest: [UInt8]?
        /// The number of its fixes; `nil` before it is written.
        let fixes: Int?
    }

    // MARK: Cutting

    /// Returns tracks with fixes to archive.
    /// - Parameter early: Includes tracks that still gather more fixes.
    static func due(now: Instant, early: Bool, after: Int64, limit: Int, in tx: Transaction) throws -> [Int64] {
        let isDue: SQL = early ? "TRUE" : "t.archive_due_at <= \(now)"
        return try tx.rows(
            """
            SELECT t.series FROM track t JOIN item i ON i.id = t.item_id
            WHERE t.series > \(after) AND \(sql: isDue) AND i.deleted_at IS NULL
                AND EXISTS (SELECT 1 FROM fix f WHERE f.series = t.series AND f.segment IS NULL)
            ORDER BY t.series LIMIT \(limit)
            """
        ).map { try $0.get("series") }
    }

    /// Cuts segments of a track.
    /// - Parameter ids: The ids of the new segments, which also limit their number.
    /// - Returns: The segments that the caller writes, and whether more can be cut.
    static func cut(
        _ series: Int64, early: Bool, ids: [ID<FixSegment>], now: Instant, in tx: Transaction
    ) throws -> (claims: [Claim], hasMore: Bool) {
        let track = try tx.row(
            "SELECT item_id, archive_due_at FROM track WHERE series = \(series) \(sql: tx.forUpdate)"
        )
        // Checked again under the lock: another node may have come first.
        guard let track, try early || track.get("archive_due_at", as: Instant.self) <= now else { return ([], false) }
        let item: ID<Item> = try track.get("item_id")
        guard try ItemStore.served(item, in: tx) != nil else { return ([], false) }
        var claims: [Claim] = []
        for id in ids {
            guard let claim = try cutOne(series, of: item, id: id, now: now, in: tx) else {
                let next = now.adding(seconds: Limits.segmentGatherSeconds)
                try tx.execute("UPDATE track SET archive_due_at = \(next) WHERE series = \(series)")
                return (claims, false)
            }
            claims.append(claim)
        }
        return (claims, true)
    }

    private static func cutOne(
        _ series: Int64, of item: ID<Item>, id: ID<FixSegment>, now: Instant, in tx: Transaction
    ) throws -> Claim? {
        let oldest = try tx.row(
            "SELECT at FROM fix WHERE series = \(series) AND segment IS NULL ORDER BY at LIMIT 1"
        )
        guard let first: Instant = try oldest?.get("at") else { return nil }
        let day = ArchiveDay.day(of: first)
        let last: Instant? = try tx.row(
            """
            SELECT MAX(at) AS last FROM (
                SELECT at FROM fix
                WHERE series = \(series) AND segment IS NULL AND at < \(ArchiveDay.start(of: day + 1))
                ORDER BY at LIMIT \(Limits.segmentFixes)
            ) AS part
            """
        )?.get("last")
        let until = now.adding(seconds: Limits.segmentLeaseSeconds)
        let key = SegmentKey(item: item, day: day, segment: id).text
        let row = try tx.row(
            """
            INSERT INTO fix_segment (id, series, day, object_key, state, claimed_until)
            VALUES (\(id), \(series), \(day), \(key), 'writing', \(until)) RETURNING number
            """
        )
        guard let last, let number: Int64 = try row?.get("number") else { throw AppError.notFound }
        try tx.execute(
            """
            UPDATE fix SET segment = \(number)
            WHERE series = \(series) AND segment IS NULL AND at >= \(first) AND at <= \(last)
            """
        )
        return Claim(number: number, until: until)
    }

    // MARK: Writing

    /// Claims segments whose writer's claim has ended.
    static func takeOver(now: Instant, limit: Int, in tx: Transaction) throws -> [Claim] {
        let until = now.adding(seconds: Limits.segmentLeaseSeconds)
        return try tx.rows(
            """
            UPDATE fix_segment SET claimed_until = \(until) WHERE state = 'writing' AND number IN (
                SELECT number FROM fix_segment WHERE state = 'writing' AND claimed_until <= \(now)
                ORDER BY claimed_until LIMIT \(limit)
            ) AND claimed_until <= \(now) RETURNING number
            """
        ).map { Claim(number: try $0.get("number"), until: until) }
    }

    /// Shortens or extends a claim, so that another attempt is possible from `until` on.
    static func release(_ claim: Claim, until: Instant, in tx: Transaction) throws {
        try tx.execute(
            """
            UPDATE fix_segment SET claimed_until = \(until)
            WHERE number = \(claim.number) AND state = 'writing' AND claimed_until = \(claim.until)
            """
        )
    }

    /// Returns the content of a segment; `nil` when it is deleted.
    static func segment(_ number: Int64, in tx: Transaction) throws -> FixSegment? {
        guard let entry = try entry(number, in: tx) else { return nil }
        let fixes = try tx.rows(
            """
            \(sql: fixColumns) WHERE series = \(entry.series) AND segment = \(number) AND \(sql: isOf(entry.day))
            ORDER BY at
            """
        ).map(archivedFix)
        return FixSegment(
            id: entry.id, item: entry.item, day: entry.day, device: entry.device, source: entry.source, fixes: fixes
        )
    }

    /// Marks a segment as written.
    /// - Returns: False when the segment was deleted during the write.
    static func complete(_ number: Int64, fixes: Int, digest: [UInt8], in tx: Transaction) throws -> Bool {
        try tx.executeCounting(
            """
            UPDATE fix_segment SET state = 'written', fixes = \(fixes), digest = \(digest) WHERE number = \(number)
            """
        ) > 0
    }

    // MARK: Reading

    private static let columns: SQL = """
        SELECT s.number, s.id, s.series, s.day, s.object_key, s.state, s.digest, s.fixes, t.item_id, t.device, t.source
        FROM fix_segment s JOIN track t ON t.series = s.series
        """

    private static let fixColumns: SQL =
        "SELECT at, latitude, longitude, accuracy, altitude, speed, heading, battery, segment FROM fix"

    private static func isOf(_ day: Int64) -> SQL {
        "at >= \(ArchiveDay.start(of: day)) AND at < \(ArchiveDay.start(of: day + 1))"
    }

    static func entry(_ number: Int64, in tx: Transaction) throws -> Entry? {
        try tx.row("\(sql: columns) WHERE s.number = \(number)").map(entry)
    }

    static func entry(key: String, in tx: Transaction) throws -> Entry? {
        try tx.row("\(sql: columns) WHERE s.object_key = \(key)").map(entry)
    }

    /// Returns a page of segments in the order of their objects' keys.
    static func page(after: String, limit: Int, in tx: Transaction) throws -> [Entry] {
        try tx.rows(
            "\(sql: columns) WHERE s.object_key > \(after) ORDER BY s.object_key LIMIT \(limit)"
        ).map(entry)
    }

    /// Returns the number of fixes that wait for the archive, and of those marked with an unknown segment.
    static func loose(in tx: Transaction) throws -> (waiting: Int, stray: Int) {
        let row = try tx.row(
            """
            SELECT (SELECT COUNT(*) FROM fix WHERE segment IS NULL) AS waiting, (
                SELECT COUNT(*) FROM fix f WHERE f.segment IS NOT NULL
                    AND NOT EXISTS (SELECT 1 FROM fix_segment s WHERE s.number = f.segment)
            ) AS stray
            """
        )
        return (waiting: try row?.get("waiting") ?? 0, stray: try row?.get("stray") ?? 0)
    }

    /// Returns the fixes marked with a segment and all fixes between two times, each with the number of its segment.
    static func fixes(
        of entry: Entry, from first: Instant, to last: Instant, in tx: Transaction
    ) throws -> [(fix: ArchivedFix, segment: Int64?)] {
        try tx.rows(
            """
            \(sql: fixColumns) WHERE series = \(entry.series) AND \(sql: isOf(entry.day))
                AND (segment = \(entry.number) OR (at >= \(first) AND at <= \(last)))
            ORDER BY at
            """
        ).map { (fix: try archivedFix($0), segment: try $0.get("segment")) }
    }

    private static func entry(_ row: Row) throws -> Entry {
        Entry(
            number: try row.get("number"), id: try row.get("id"), item: try row.get("item_id"),
            series: try row.get("series"), device: try row.get("device"), source: try row.get("source"),
            day: try row.get("day"), key: try row.get("object_key"),
            isWritten: try row.get("state", as: String.self) == "written", digest: try row.get("digest"),
            fixes: try row.get("fixes")
        )
    }

    private static func archivedFix(_ row: Row) throws -> ArchivedFix {
        ArchivedFix(
            at: try row.get("at"), coordinate: try row.coordinate(), accuracyMetres: try row.get("accuracy"),
            altitudeMetres: try row.get("altitude"), speedMetresPerSecond: try row.get("speed"),
            headingDegrees: try row.get("heading"), batteryPercent: try row.get("battery")
        )
    }
}
