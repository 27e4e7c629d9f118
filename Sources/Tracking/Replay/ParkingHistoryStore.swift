import Kernel
import Storage

/// A parking with its end, as a replay needs it.
struct PastParking: Sendable, Equatable {
    /// The parking at its start.
    let start: Parking
    /// `nil` while it lasts.
    let endedAt: Instant?
}

/// The table `parking`: the parkings of items.
enum ParkingHistoryStore {
    static func insert(_ parking: Parking, of item: ID<Item>, in tx: Transaction) throws {
        let place = parking.position
        try tx.execute(
            """
            INSERT INTO parking (item_id, started_at, at, latitude, longitude, accuracy) VALUES (
                \(item), \(parking.since), \(place?.at), \(place?.coordinate.latitude),
                \(place?.coordinate.longitude), \(place?.accuracyMetres)
            ) ON CONFLICT (item_id, started_at) DO UPDATE SET ended_at = NULL, at = excluded.at,
                latitude = excluded.latitude, longitude = excluded.longitude, accuracy = excluded.accuracy
            """
        )
    }

    static func end(_ item: ID<Item>, now: Instant, in tx: Transaction) throws {
        try tx.execute("UPDATE parking SET ended_at = \(now) WHERE item_id = \(item) AND ended_at IS NULL")
    }

    /// Returns the newest parkings that lasted after an instant, in order.
    static func parkings(of item: ID<Item>, since: Instant, in tx: Transaction) throws -> [PastParking] {
        try tx.rows(
            """
            SELECT started_at, ended_at, at, latitude, longitude, accuracy FROM parking
            WHERE item_id = \(item) AND (ended_at IS NULL OR ended_at > \(since))
            ORDER BY started_at DESC LIMIT \(Limits.replayedParkings)
            """
        ).reversed().map { row in
            PastParking(
                start: Parking(since: try row.get("started_at"), position: try PositionSample(row)),
                endedAt: try row.get("ended_at"))
        }
    }

    static func prune(before limit: Instant, in tx: Transaction) throws {
        try tx.execute("DELETE FROM parking WHERE ended_at < \(limit)")
    }

    /// Deletes parkings that ended before the positions that an item keeps.
    static func expire(_ item: ID<Item>, before limit: Instant, in tx: Transaction) throws {
        try tx.execute("DELETE FROM parking WHERE item_id = \(item) AND ended_at < \(limit)")
    }

    /// Returns items with a parking that has no end although the item isn't parked any more: a node with an older
    /// version ended it.
    static func unfinished(limit: Int, in tx: Transaction) throws -> [ID<Item>] {
        try tx.rows(
            """
            SELECT DISTINCT p.item_id FROM parking p WHERE p.ended_at IS NULL AND \(sql: isOver)
            ORDER BY p.item_id LIMIT \(limit)
            """
        ).map { try $0.get("item_id") }
    }

    /// Ends the parkings of an item that ``unfinished(limit:in:)`` returned.
    static func finish(_ item: ID<Item>, now: Instant, in tx: Transaction) throws {
        try tx.execute(
            """
            UPDATE parking AS p SET ended_at = \(now)
            WHERE p.item_id = \(item) AND p.ended_at IS NULL AND \(sql: isOver)
            """
        )
    }

    private static let isOver: SQL = """
        NOT EXISTS (
            SELECT 1 FROM whereabouts w WHERE w.item_id = p.item_id AND w.parked_since = p.started_at
        )
        """

    static func delete(of item: ID<Item>, in tx: Transaction) throws {
        try tx.execute("DELETE FROM parking WHERE item_id = \(item)")
    }
}

/// Runs the rule for parked items on stored positions, the oldest first.
struct ParkingReplay {
    private var parkings: [PastParking]
    private var current: Parking?

    /// - Parameter parkings: In order.
    init(_ parkings: [PastParking]) {
        self.parkings = parkings.reversed()
        current = self.parkings.last?.start
    }

    /// - Returns: Whether a parked item moved.
    mutating func add(_ sample: PositionSample) -> Bool {
        while let parking = parkings.last, let end = parking.endedAt, sample.at > end { next() }
        guard let parking = current else { return false }
        switch ParkingRule.step(parking, sample) {
        case .unchanged: return false
        case .changed(let changed):
            current = changed
            return false
        case .moved:
            next()
            return true
        }
    }

    private mutating func next() {
        parkings.removeLast()
        current = parkings.last?.start
    }
}
