import Kernel
import Storage

/// The columns of `whereabouts` for a low battery, silences and parking.
enum HealthStore {
    static func setBatteryLow(_ isLow: Bool, of item: ID<Item>, in tx: Transaction) throws {
        try tx.execute("UPDATE whereabouts SET is_battery_low = \(isLow) WHERE item_id = \(item)")
    }

    // MARK: Silence

    /// An item whose tracker should report and has been silent for its `silentHours`.
    struct SilentItem: Sendable {
        let item: ID<Item>
        let silentHours: Int
        let lastSeenAt: Instant
        let lastPosition: PositionSample?
    }

    /// The items with a silence that caused no notification yet. The partial index has only items with the setting.
    static func silentItems(now: Instant, after: ID<Item>?, in tx: Transaction) throws -> [SilentItem] {
        let perHour = 3_600_000
        return try tx.rows(
            """
            SELECT i.id, i.silent_hours, w.last_seen_at, w.at, w.latitude, w.longitude, w.accuracy
            FROM item i
            JOIN whereabouts w ON w.item_id = i.id
            LEFT JOIN tracker t ON t.item_id = i.id
            LEFT JOIN source s ON s.item_id = i.id
            WHERE i.silent_hours IS NOT NULL AND w.last_seen_at < \(now) - i.silent_hours * \(perHour)
                AND (w.silence_notified IS NULL OR w.silence_notified <> w.last_seen_at)
                AND (t.state = 'active' OR s.state = 'active') \(sql: .after(after, "i.id"))
            ORDER BY i.id LIMIT \(Limits.housekeepingBatch)
            """
        ).map { row in
            SilentItem(
                item: try row.get("id"), silentHours: try row.get("silent_hours"),
                lastSeenAt: try row.get("last_seen_at"), lastPosition: try PositionSample(row)
            )
        }
    }

    /// Records that people were notified of an item's silence.
    /// - Returns: Whether the silence still lasts and they weren't notified before.
    static func recordSilence(_ silent: SilentItem, in tx: Transaction) throws -> Bool {
        try tx.executeCounting(
            """
            UPDATE whereabouts SET silence_notified = last_seen_at
            WHERE item_id = \(silent.item) AND last_seen_at = \(silent.lastSeenAt)
                AND (silence_notified IS NULL OR silence_notified <> last_seen_at)
            """
        ) > 0
    }

    /// Whether an item has a tracker that is switched on, so that a missing report or arrival means something.
    static func shouldReport(_ item: ID<Item>, in tx: Transaction) throws -> Bool {
        try tx.row(
            """
            SELECT 1 AS one FROM item i
            LEFT JOIN tracker t ON t.item_id = i.id
            LEFT JOIN source s ON s.item_id = i.id
            WHERE i.id = \(item) AND (t.state = 'active' OR s.state = 'active') LIMIT 1
            """
        ) != nil
    }

    // MARK: Parking

    static func parking(of item: ID<Item>, in tx: Transaction) throws -> Parking? {
        try tx.row(
            """
            SELECT parked_since, parked_at AS at, parked_latitude AS latitude, parked_longitude AS longitude,
                parked_accuracy AS accuracy, parked_away_at
            FROM whereabouts WHERE item_id = \(item)
            """
        ).flatMap { row in
            guard let since: Instant = try row.get("parked_since") else { return nil }
            return Parking(since: since, position: try PositionSample(row), awayAt: try row.get("parked_away_at"))
        }
    }

    /// Locks an item's last position and returns it; `nil` without one.
    static func lockLastPosition(of item: ID<Item>, in tx: Transaction) throws -> PositionSample? {
        try tx.row(
            "SELECT at, latitude, longitude, accuracy FROM whereabouts WHERE item_id = \(item) \(sql: tx.forChange)"
        ).flatMap { try PositionSample($0) }
    }

    static func park(_ item: ID<Item>, _ parking: Parking?, in tx: Transaction) throws {
        let place = parking?.position
        try tx.execute(
            """
            UPDATE whereabouts SET parked_since = \(parking?.since), parked_at = \(place?.at),
                parked_latitude = \(place?.coordinate.latitude), parked_longitude = \(place?.coordinate.longitude),
                parked_accuracy = \(place?.accuracyMetres), parked_away_at = \(parking?.awayAt)
            WHERE item_id = \(item)
            """
        )
    }
}

extension PositionSample {
    /// The columns `at`, `latitude`, `longitude` and `accuracy`; `nil` without a position.
    init?(_ row: Row) throws {
        guard let at: Instant = try row.get("at") else { return nil }
        self.init(at: at, coordinate: try row.coordinate(), accuracyMetres: try row.get("accuracy"))
    }
}
