import Kernel
import Pictures
import Storage

extension SegmentStore {
    /// The result of adopting a segment from the object store.
    enum Adoption: Equatable {
        /// The item of its fixes doesn't exist.
        case ofNoItem
        /// It is recorded as garbage, or older than the item's `keepDays`.
        case notWanted
        /// It is in the index, and this number of its fixes was added to the table.
        case adopted(restored: Int)
    }

    private static let insertion = FixedSQL(
        """
        INSERT INTO fix (series, at, latitude, longitude, accuracy, altitude, speed, heading, battery, segment)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (series, at) DO NOTHING
        """
    )
    // A fix that was archived twice, for example after a restore, keeps the segment that it is marked with.
    private static let marking = FixedSQL(
        """
        UPDATE fix SET segment = ? WHERE series = ? AND at = ? AND latitude = ? AND longitude = ? AND (
            segment IS NULL OR NOT EXISTS (SELECT 1 FROM fix_segment s WHERE s.number = fix.segment)
        )
        """
    )

    /// Adds a segment's missing content to the tables.
    static func adopt(_ segment: FixSegment, digest: [UInt8], now: Instant, in tx: Transaction) throws -> Adoption {
        guard let item = try ItemStore.served(segment.item, in: tx) else { return .ofNoItem }
        let key = SegmentKey(item: segment.item, day: segment.day, segment: segment.id).text
        let isTooOld = item.settings.keepDays.map { segment.day < ArchiveDay.firstKept(days: $0, now: now) } ?? false
        guard !isTooOld, try !ObjectGarbage.contains(key, in: tx) else { return .notWanted }
        let series = try FixStore.series(item: segment.item, device: segment.device, source: segment.source, in: tx)
        _ = try tx.row("SELECT series FROM track WHERE series = \(series) \(sql: tx.forUpdate)")
        try tx.execute(
            """
            INSERT INTO fix_segment (id, series, day, object_key, state, claimed_until, fixes, digest)
            VALUES (\(segment.id), \(series), \(segment.day), \(key), 'written', 0, \(segment.fixes.count), \(digest))
            ON CONFLICT (id) DO UPDATE SET state = 'written', fixes = excluded.fixes, digest = excluded.digest
            """
        )
        let row = try tx.row("SELECT number FROM fix_segment WHERE id = \(segment.id)")
        guard let number: Int64 = try row?.get("number") else { return .notWanted }
        var restored = 0
        for fix in segment.fixes {
            let place: [SQLValue] = [.real(fix.coordinate.latitude), .real(fix.coordinate.longitude)]
            let rest: [SQLValue] = [
                fix.accuracyMetres.sqlValue, fix.altitudeMetres.sqlValue, fix.speedMetresPerSecond.sqlValue,
                fix.headingDegrees.sqlValue, fix.batteryPercent.sqlValue, .integer(number),
            ]
            let inserted = try tx.executeCounting(insertion, [.integer(series), fix.at.sqlValue] + place + rest)
            restored += inserted
            if inserted == 0 {
                try tx.execute(marking, [.integer(number), .integer(series), fix.at.sqlValue] + place)
            }
        }
        try FixStore.count(restored, of: item.id, in: tx)
        if restored > 0 { try publish(of: segment, item: item, series: series, now: now, in: tx) }
        return .adopted(restored: restored)
    }

    private static func publish(
        of segment: FixSegment, item: Item, series: Int64, now: Instant, in tx: Transaction
    ) throws {
        if let last = segment.fixes.last {
            _ = try FixStore.move(
                item.id, to: last.report, at: last.at, series: series, source: segment.source, seenAt: last.at, in: tx
            )
        }
        guard let change = try FixStore.advance(item.id, in: tx) else { return }
        try TrackingEvents.publish(.fix, of: item.id, owner: item.owner, change, now: now, in: tx)
    }

    static func isComplete(_ entry: Entry, in tx: Transaction) throws -> Bool {
        let (start, end) = (ArchiveDay.start(of: entry.day), ArchiveDay.start(of: entry.day + 1))
        let row = try tx.row(
            """
            SELECT COUNT(*) AS total FROM fix
            WHERE series = \(entry.series) AND segment = \(entry.number) AND at >= \(start) AND at < \(end)
            """
        )
        return try row?.get("total") == entry.fixes
    }

    /// Returns a page of the tracks after `series`.
    static func tracks(after series: Int64, limit: Int, in tx: Transaction) throws -> [Int64] {
        try tx.rows("SELECT series FROM track WHERE series > \(series) ORDER BY series LIMIT \(limit)")
            .map { try $0.get("series") }
    }

    /// Marks fixes with an unknown segment as not archived.
    static func releaseStrays(of series: Int64, in tx: Transaction) throws {
        let released = try tx.executeCounting(
            """
            UPDATE fix SET segment = NULL WHERE series = \(series) AND segment IS NOT NULL
                AND NOT EXISTS (SELECT 1 FROM fix_segment s WHERE s.number = fix.segment)
            """
        )
        if released > 0 {
            try tx.execute("UPDATE track SET archive_due_at = 0 WHERE series = \(series)")
        }
    }
}
