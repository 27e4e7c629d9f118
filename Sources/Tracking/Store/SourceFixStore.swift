import Kernel
import Storage

/// The changes of a source's report to the database, with the cheapest statements for each engine.
enum SourceFixStore {
    /// Makes a stored fix the item's last position, unless a later one is stored, and records contact with its device.
    /// - Returns: The change; `nil` when the credential is no longer valid.
    static func follow(
        _ report: Report, at: Instant, of tracked: SourceCredential.Tracked, by credential: SourceCredential,
        seenAt: Instant,
        in tx: Transaction
    ) throws -> (reported: FixStore.Reported, hasMoved: Bool)? {
        let source: FixSource = credential.kind == .owntracks ? .owntracks : .osmand
        switch tx.dialect {
        case .sqlite:
            return try followInTwoStatements(
                report, at: at, of: tracked, by: credential, source, seenAt: seenAt, in: tx)
        case .postgres:
            return try followInOneStatement(report, at: at, of: tracked, by: credential, source, seenAt: seenAt, in: tx)
        }
    }

    // One statement, because a round trip to the server costs most.
    private static func followInOneStatement(
        _ report: Report, at: Instant, of tracked: SourceCredential.Tracked, by credential: SourceCredential,
        _ source: FixSource,
        seenAt: Instant, in tx: Transaction
    ) throws -> (reported: FixStore.Reported, hasMoved: Bool)? {
        let exists: SQL = """
            EXISTS (
                SELECT 1 FROM source s WHERE s.id = \(credential.source) AND s.item_id = \(tracked.item)
                    AND s.secret_hash = \(credential.secretHash)
            )
            """
        let moved = try FixStore.move(
            tracked.item, to: report, at: at, series: tracked.series, source: source, seenAt: seenAt, added: 1,
            condition: exists, in: tx
        )
        if let moved { return (moved, true) }
        return try FixStore.touch(tracked.item, battery: nil, seenAt: seenAt, added: 1, condition: exists, in: tx)
            .map { ($0, false) }
    }

    // Two statements: `RETURNING` makes SQLite create a temporary table, which costs more than a query first. No other
    // writer can come between them.
    private static func followInTwoStatements(
        _ report: Report, at: Instant, of tracked: SourceCredential.Tracked, by credential: SourceCredential,
        _ source: FixSource,
        seenAt: Instant, in tx: Transaction
    ) throws -> (reported: FixStore.Reported, hasMoved: Bool)? {
        let item = tracked.boundItem
        guard let row = try tx.row(look, [item, credential.boundSource, item, credential.boundHash]) else { return nil }
        let reported = FixStore.Reported(
            version: try row.get(at: 0) + 1, hasWaiting: try row.get(at: 1), watchedUntil: try row.get(at: 3),
            isShared: try row.get(at: 4), isBatteryLow: try row.get(at: 5), isParked: try row.get(at: 6),
            hasGeofences: try row.get(at: 7), showsPerson: try row.get(at: 8)
        )
        let last: Instant? = try row.get(at: 2)
        guard FixAcceptance.movesLastPosition(at, last: last) else {
            try tx.execute(touch, [seenAt.sqlValue, item])
            return (reported, false)
        }
        let battery = report.batteryPercent.sqlValue
        try tx.execute(
            move,
            [
                .integer(tracked.series), at.sqlValue, .real(report.coordinate.latitude),
                .real(report.coordinate.longitude), report.accuracyMetres.sqlValue, report.altitudeMetres.sqlValue,
                report.speedMetresPerSecond.sqlValue, report.headingDegrees.sqlValue, battery, source.sqlValue,
                battery, seenAt.sqlValue, item,
            ]
        )
        return (reported, true)
    }

    private static let look = FixedSQL(
        """
        SELECT version, has_waiting, at, watched_until, is_shared, is_battery_low, parked_since IS NOT NULL,
            has_geofences, shows_person
        FROM whereabouts WHERE item_id = ?
            AND EXISTS (SELECT 1 FROM source s WHERE s.id = ? AND s.item_id = ? AND s.secret_hash = ?)
        """
    )

    private static let touch = FixedSQL(
        "UPDATE whereabouts SET version = version + 1, fixes = fixes + 1, last_seen_at = ? WHERE item_id = ?"
    )

    private static let move = FixedSQL(
        """
        UPDATE whereabouts SET version = version + 1, fixes = fixes + 1, series = ?, at = ?, latitude = ?, longitude = ?, accuracy = ?,
            altitude = ?, speed = ?, heading = ?, battery = ?, source = ?,
            device_battery = COALESCE(?, device_battery), last_seen_at = ?
        WHERE item_id = ?
        """
    )
}
