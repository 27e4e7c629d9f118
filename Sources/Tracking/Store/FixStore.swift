import Kernel
import Storage

/// The tables `track` and `fix`, and the last position in `whereabouts`.
enum FixStore {
    /// Returns the id of a device's series of fixes for an item and creates the series if needed.
    static func series(item: ID<Item>, device: String, source: FixSource, in tx: Transaction) throws -> Int64 {
        try tx.execute(
            """
            INSERT INTO track (item_id, device, source) VALUES (\(item), \(device), \(source))
            ON CONFLICT (item_id, device) DO NOTHING
            """
        )
        let row = try tx.row("SELECT series FROM track WHERE item_id = \(item) AND device = \(device)")
        guard let row else { throw AppError.notFound }
        return try row.get("series")
    }

    /// The result of storing a fix.
    enum Insertion {
        case stored
        case knownAlready
        case otherPlace
    }

    private static let insertion = FixedSQL(
        """
        INSERT INTO fix (series, at, latitude, longitude, accuracy, altitude, speed, heading, battery)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (series, at) DO NOTHING
        """
    )

    /// Stores a fix unless the device already has one with this time.
    static func insert(_ report: Report, at: Instant, series: Int64, in tx: Transaction) throws -> Insertion {
        let place = report.coordinate
        let inserted = try tx.executeCounting(insertion, values(of: report, at: at, series: series))
        guard inserted == 0 else { return .stored }
        let known = try tx.row("SELECT latitude, longitude FROM fix WHERE series = \(series) AND at = \(at)")
        guard let known else { return .knownAlready }
        let isSamePlace = try known.get("latitude") == place.latitude && known.get("longitude") == place.longitude
        return isSamePlace ? .knownAlready : .otherPlace
    }

    /// Stores a fix whose time the device doesn't have yet. It doesn't wait for the result.
    static func insertNew(_ report: Report, at: Instant, series: Int64, in tx: Transaction) throws {
        try tx.execute(insertion, values(of: report, at: at, series: series))
    }

    private static func values(of report: Report, at: Instant, series: Int64) -> [SQLValue] {
        let place = report.coordinate
        return [
            .integer(series), at.sqlValue, .real(place.latitude), .real(place.longitude),
            report.accuracyMetres.sqlValue, report.altitudeMetres.sqlValue, report.speedMetresPerSecond.sqlValue,
            report.headingDegrees.sqlValue, report.batteryPercent.sqlValue,
        ]
    }

    /// Makes a fix the item's last position, unless a later one is stored.
    /// - Parameters:
    ///   - added: The number of stored fixes, unless another statement counts them.
    ///   - condition: A further condition, `TRUE` for none.
    /// - Returns: The new version, whether commands wait, and the time until which the item is watched; `nil` when
    ///   nothing changed.
    static func move(
        _ item: ID<Item>, to report: Report, at: Instant, series: Int64, source: FixSource, seenAt: Instant,
        added: Int = 0, condition: SQL = "TRUE", in tx: Transaction
    ) throws -> Reported? {
        let place = report.coordinate
        return try tx.row(
            """
            UPDATE whereabouts SET version = version + 1, fixes = fixes + \(added), series = \(series), at = \(at), latitude = \(place.latitude),
                longitude = \(place.longitude), accuracy = \(report.accuracyMetres),
                altitude = \(report.altitudeMetres), speed = \(report.speedMetresPerSecond),
                heading = \(report.headingDegrees),
                battery = \(report.batteryPercent), source = \(source),
                device_battery = COALESCE(\(report.batteryPercent), device_battery), last_seen_at = \(seenAt)
            WHERE item_id = \(item) AND (at IS NULL OR at < \(at)) AND \(sql: condition)
            RETURNING version, has_waiting, watched_until, is_shared, is_battery_low, parked_since, has_geofences,
                shows_person
            """
        ).map(Reported.moved)
    }

    /// Records contact with the item's device without a new last position.
    static func touch(
        _ item: ID<Item>, battery: Int?, seenAt: Instant, added: Int, condition: SQL = "TRUE", in tx: Transaction
    ) throws -> Reported? {
        try tx.row(
            """
            UPDATE whereabouts SET version = version + 1, fixes = fixes + \(added),
                device_battery = COALESCE(\(battery), device_battery), last_seen_at = \(seenAt)
            WHERE item_id = \(item) AND \(sql: condition)
            RETURNING version, has_waiting, is_shared, is_battery_low
            """
        ).map(Reported.init)
    }

    /// Counts fixes that a statement other than a report's added to an item's history or removed from it.
    static func count(_ change: Int, of item: ID<Item>, in tx: Transaction) throws {
        guard change != 0 else { return }
        try tx.execute("UPDATE whereabouts SET fixes = fixes + \(change) WHERE item_id = \(item)")
    }

    /// The number of stored fixes of an account, including those of deleted items that are still being removed. The
    /// cost depends on the number of items and not of fixes.
    static func total(of owner: PersonID, in tx: Transaction) throws -> Int {
        try tx.row(
            """
            SELECT COALESCE(CAST(SUM(COALESCE(w.fixes, 0) + i.remaining_fixes) AS BIGINT), 0) AS total
            FROM item i LEFT JOIN whereabouts w ON w.item_id = i.id WHERE i.account_id = \(owner)
            """
        )?.get("total") ?? 0
    }

    /// Increments the version after a change of the item's tracker or commands.
    static func advance(_ item: ID<Item>, in tx: Transaction) throws -> Reported? {
        try tx.row(
            """
            UPDATE whereabouts SET version = version + 1 WHERE item_id = \(item)
            RETURNING version, has_waiting, is_shared, is_battery_low
            """
        ).map(Reported.init)
    }

    /// Stores whether commands wait for the item's position source, so that a report needs no look-up.
    static func setHasWaitingCommands(_ isWaiting: Bool, of item: ID<Item>, in tx: Transaction) throws {
        try tx.execute("UPDATE whereabouts SET has_waiting = \(isWaiting) WHERE item_id = \(item)")
    }

    static func isWaiting(_ item: ID<Item>, in tx: Transaction) throws -> Bool {
        try tx.row("SELECT has_waiting FROM whereabouts WHERE item_id = \(item)")?.get("has_waiting") ?? false
    }

    /// When the item's device was last in contact.
    static func lastSeen(_ item: ID<Item>, in tx: Transaction) throws -> Instant? {
        try tx.row("SELECT last_seen_at FROM whereabouts WHERE item_id = \(item)")?.get("last_seen_at")
    }

    static func lastPlace(of item: ID<Item>, in tx: Transaction) throws -> Coordinate? {
        let row = try tx.row("SELECT latitude, longitude FROM whereabouts WHERE item_id = \(item)")
        guard let row, let latitude: Double = try row.get("latitude"), let longitude: Double = try row.get("longitude")
        else { return nil }
        return Coordinate(latitude: latitude, longitude: longitude)
    }

    /// Clears the data of a device that no longer serves the item; its positions remain.
    static func forgetDevice(of item: ID<Item>, in tx: Transaction) throws {
        try tx.execute(
            """
            UPDATE whereabouts SET version = version + 1, device_battery = NULL, last_seen_at = NULL, has_waiting = 0,
                apart_since = NULL, alert_evidence = 0, alert_evidence_at = NULL, is_battery_low = 0
            WHERE item_id = \(item)
            """
        )
    }

    /// Deletes an item's last position and up to `limit` fixes of its history. The tracks go with the last fix. The
    /// locks are taken in the order of the ingest: track, then whereabouts.
    /// - Returns: Whether everything is deleted.
    static func delete(of item: ID<Item>, limit: Int, in tx: Transaction) throws -> Bool {
        let series = try tx.rows(
            "SELECT series FROM track WHERE item_id = \(item) ORDER BY series \(sql: tx.forUpdate)"
        )
        .map { try $0.get("series", as: Int64.self) }
        // The account's quota counts the fixes until they are removed.
        try tx.execute(
            """
            UPDATE item SET remaining_fixes = (SELECT fixes FROM whereabouts WHERE item_id = \(item))
            WHERE id = \(item) AND EXISTS (SELECT 1 FROM whereabouts WHERE item_id = \(item))
            """
        )
        try tx.execute("DELETE FROM whereabouts WHERE item_id = \(item)")
        if limit == 0 { return series.isEmpty }
        for one in series {
            guard try SegmentStore.discard(series: one, limit: Limits.segmentsPerDeletion, in: tx) else { return false }
        }
        var left = limit
        for one in series {
            left -= try tx.executeCounting(
                """
                DELETE FROM fix WHERE series = \(one) AND at IN (
                    SELECT at FROM fix WHERE series = \(one) ORDER BY at LIMIT \(left)
                )
                """
            )
            // More fixes may remain.
            if left == 0 { break }
        }
        try tx.execute("UPDATE item SET remaining_fixes = remaining_fixes - \(limit - left) WHERE id = \(item)")
        if left == 0 { return false }
        try tx.execute("DELETE FROM track WHERE item_id = \(item)")
        return true
    }

    /// The items with a silence that no event has announced: their trackers should report and are overdue. The table is
    /// small, and an index on the time of the last report would cost each report.
    static func itemsWithUnannouncedSilence(now: Instant, in tx: Transaction) throws -> [ID<Item>] {
        let perMinute = Silence.intervals * 60_000
        return try tx.rows(
            """
            SELECT w.item_id FROM whereabouts w
            JOIN item i ON i.id = w.item_id
            LEFT JOIN tracker t ON t.item_id = w.item_id
            LEFT JOIN source s ON s.item_id = w.item_id
            WHERE w.last_seen_at < \(now) - i.locate_minutes * \(perMinute)
                AND (w.silence_told IS NULL OR w.silence_told <> w.last_seen_at)
                AND (t.state = 'active' OR s.state = 'active')
            ORDER BY w.item_id LIMIT \(Limits.housekeepingBatch)
            """
        ).map { try $0.get("item_id") }
    }

    /// Records that the item's current silence was announced.
    static func recordSilence(of item: ID<Item>, in tx: Transaction) throws {
        try tx.execute("UPDATE whereabouts SET silence_told = last_seen_at WHERE item_id = \(item)")
    }

    /// The result of a report in `whereabouts`.
    struct Reported {
        let version: Int64
        let hasWaiting: Bool
        /// The time until which a phone's position may cause an alert; `nil` without one, or when the last position did
        /// not change.
        let watchedUntil: Instant?
        /// Whether other people can see the item.
        let isShared: Bool
        /// Whether people were notified of a low battery that isn't charged yet.
        let isBatteryLow: Bool
        /// Whether the item is parked; false when the last position did not change.
        let isParked: Bool
        /// Whether the item has rules about places; false when the last position did not change.
        let hasGeofences: Bool
        /// Whether the item shows others where its owner is; false when the last position did not change.
        let showsPerson: Bool

        init(_ row: Row) throws {
            self.init(
                version: try row.get("version"), hasWaiting: try row.get("has_waiting"),
                isShared: try row.get("is_shared"), isBatteryLow: try row.get("is_battery_low"))
        }

        init(
            version: Int64, hasWaiting: Bool, watchedUntil: Instant? = nil, isShared: Bool, isBatteryLow: Bool,
            isParked: Bool = false, hasGeofences: Bool = false, showsPerson: Bool = false
        ) {
            self.version = version
            self.hasWaiting = hasWaiting
            self.watchedUntil = watchedUntil
            self.isShared = isShared
            self.isBatteryLow = isBatteryLow
            self.isParked = isParked
            self.hasGeofences = hasGeofences
            self.showsPerson = showsPerson
        }

        static func moved(_ row: Row) throws -> Reported {
            Reported(
                version: try row.get("version"), hasWaiting: try row.get("has_waiting"),
                watchedUntil: try row.get("watched_until"), isShared: try row.get("is_shared"),
                isBatteryLow: try row.get("is_battery_low"),
                isParked: try row.get("parked_since", as: Instant?.self) != nil,
                hasGeofences: try row.get("has_geofences"), showsPerson: try row.get("shows_person")
            )
        }

        /// Whether the positions of the owner's phones can matter.
        func isWatched(at now: Instant) -> Bool { watchedUntil.map { $0 > now } ?? false }
    }

    static func fix(_ row: Row, at: Instant, series: Int64, source: FixSource) throws -> Fix {
        Fix(
            id: ID(at: at, series: series), at: at, coordinate: try row.coordinate(),
            accuracyMetres: try row.get("accuracy"),
            altitudeMetres: try row.get("altitude"), speedMetresPerSecond: try row.get("speed"),
            headingDegrees: try row.get("heading"), batteryPercent: try row.get("battery"), source: source
        )
    }
}
