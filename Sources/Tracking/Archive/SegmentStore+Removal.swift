import Kernel
import Pictures
import Storage

extension SegmentStore {
    /// Deletes segments of a track from the index; the next garbage sweep deletes their objects.
    /// - Parameter day: Only segments of earlier days; `nil` for all.
    /// - Returns: Whether all are deleted.
    static func discard(series: Int64, before day: Int64? = nil, limit: Int, in tx: Transaction) throws -> Bool {
        let condition: SQL = day.map { "AND day < \($0)" } ?? SQL()
        let rows = try tx.rows(
            """
            SELECT number, object_key, state, claimed_until FROM fix_segment
            WHERE series = \(series) \(sql: condition) ORDER BY number LIMIT \(limit)
            """
        )
        for row in rows {
            // The object of an unwritten segment may still appear until the writer's claim ends.
            let isWritten = try row.get("state", as: String.self) == "written"
            let dueAt = try isWritten ? Instant(millisecondsSince1970: 0) : row.get("claimed_until")
            try ObjectGarbage.record([try row.get("object_key")], dueAt: dueAt, in: tx)
        }
        let numbers: [Int64] = try rows.map { try $0.get("number") }
        if !numbers.isEmpty { try tx.execute("DELETE FROM fix_segment WHERE number IN \(list: numbers)") }
        return rows.count < limit
    }

    /// Deletes a segment that is empty or whose object is unusable; its fixes are archived again.
    static func dissolve(_ entry: Entry, in tx: Transaction) throws {
        let (start, end) = (ArchiveDay.start(of: entry.day), ArchiveDay.start(of: entry.day + 1))
        try tx.execute(
            """
            UPDATE fix SET segment = NULL
            WHERE series = \(entry.series) AND segment = \(entry.number) AND at >= \(start) AND at < \(end)
            """
        )
        try tx.execute("DELETE FROM fix_segment WHERE number = \(entry.number)")
        try tx.execute("UPDATE track SET archive_due_at = 0 WHERE series = \(entry.series)")
        try ObjectGarbage.record([entry.key], dueAt: Instant(millisecondsSince1970: 0), in: tx)
    }

    // MARK: Expiry by `keepDays`

    /// A track whose item has fixes or parkings older than its `keepDays`.
    struct Overdue {
        let series: Int64
        let item: ID<Item>
        let firstKept: Int64
    }

    static func overdue(now: Instant, limit: Int, in tx: Transaction) throws -> [Overdue] {
        let today = ArchiveDay.day(of: now)
        let dayMilliseconds = ArchiveDay.start(of: 1).millisecondsSince1970
        return try tx.rows(
            """
            SELECT t.series, i.id, i.keep_days FROM item i JOIN track t ON t.item_id = i.id
            WHERE i.keep_days IS NOT NULL AND i.deleted_at IS NULL AND (
                EXISTS (
                    SELECT 1 FROM fix f WHERE f.series = t.series AND f.at < (\(today) - i.keep_days) * \(dayMilliseconds)
                ) OR EXISTS (
                    SELECT 1 FROM fix_segment s WHERE s.series = t.series AND s.day < \(today) - i.keep_days
                ) OR EXISTS (
                    SELECT 1 FROM parking p
                    WHERE p.item_id = i.id AND p.ended_at < (\(today) - i.keep_days) * \(dayMilliseconds)
                )
            ) ORDER BY t.series LIMIT \(limit)
            """
        ).map { row in
            let days: Int = try row.get("keep_days")
            return Overdue(
                series: try row.get("series"), item: try row.get("id"),
                firstKept: ArchiveDay.firstKept(days: days, now: now)
            )
        }
    }

    /// Deletes a batch of old fixes, segments first: a deleted fix can't be archived any more.
    static func expire(_ overdue: Overdue, in tx: Transaction) throws {
        let track = try tx.row("SELECT series FROM track WHERE series = \(overdue.series) \(sql: tx.forUpdate)")
        guard track != nil else { return }
        _ = try discard(
            series: overdue.series, before: overdue.firstKept, limit: Limits.segmentsPerDeletion, in: tx
        )
        let deleted = try tx.executeCounting(
            """
            DELETE FROM fix WHERE series = \(overdue.series) AND at IN (
                SELECT at FROM fix WHERE series = \(overdue.series) AND at < \(ArchiveDay.start(of: overdue.firstKept))
                ORDER BY at LIMIT \(Limits.fixesPerDeletion)
            )
            """
        )
        try FixStore.count(-deleted, of: overdue.item, in: tx)
        try EpisodeDayStore.expire(overdue.item, before: overdue.firstKept, deleted: deleted, in: tx)
        let firstKept = ArchiveDay.start(of: overdue.firstKept)
        try SeparationHistoryStore.expire(overdue.item, before: firstKept, in: tx)
        try ParkingHistoryStore.expire(overdue.item, before: firstKept, in: tx)
    }
}
