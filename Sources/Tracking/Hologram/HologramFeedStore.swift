import Accounts
import Kernel
import Storage

/// The two ways to fetch the trackers' messages from the cloud.
enum HologramFeed: String, CaseIterable {
    /// The bucket that the cloud fills.
    case bucket
    /// The cloud's message log.
    case records
}

/// The position up to which the cloud's log was read.
struct HologramLogPosition: Equatable, Sendable {
    /// Everything logged before this time was read.
    var at: Instant
    /// The highest id of a record that was read.
    var record: Int64
}

/// The tables `cloud_reading` (the position in the log), `cloud_object` and `cloud_quarantine`.
enum HologramFeedStore {
    // MARK: Position in the log

    static func position(in tx: Transaction) throws -> HologramLogPosition? {
        try tx.row("SELECT position_at, position_record FROM cloud_reading WHERE road = 'records'").map {
            HologramLogPosition(at: try $0.get("position_at"), record: try $0.get("position_record"))
        }
    }

    /// Moves the log position forward, never backwards: another node may have read further.
    static func advance(to position: HologramLogPosition, in tx: Transaction) throws {
        // `next_at` is the time of the next reading for earlier versions.
        try tx.execute(
            """
            INSERT INTO cloud_reading (road, next_at, position_at, position_record)
            VALUES ('records', \(position.at), \(position.at), \(position.record))
            ON CONFLICT (road) DO UPDATE SET
                position_at = CASE WHEN cloud_reading.position_at < excluded.position_at THEN excluded.position_at
                    ELSE cloud_reading.position_at END,
                position_record = CASE WHEN cloud_reading.position_record < excluded.position_record
                    THEN excluded.position_record ELSE cloud_reading.position_record END
            """
        )
    }

    // MARK: Objects

    /// The stored objects among the keys; the value is true for an object that only waits for its removal.
    static func known(_ keys: [String], in tx: Transaction) throws -> [String: Bool] {
        guard !keys.isEmpty else { return [:] }
        let rows = try tx.rows("SELECT name, is_read FROM cloud_object WHERE name IN \(list: keys)")
        return Dictionary(
            try rows.map { (try $0.get("name", as: String.self), try $0.get("is_read", as: Bool.self)) },
            uniquingKeysWith: { first, _ in first }
        )
    }

    /// Records an object.
    /// - Parameter isRead: True for an object of ours, which is removed; any other object stays in the bucket and is
    ///   skipped.
    /// - Returns: False when another node recorded it first.
    static func insertObject(_ name: String, isRead: Bool, now: Instant, in tx: Transaction) throws -> Bool {
        try tx.executeCounting(
            """
            INSERT INTO cloud_object (name, is_read, seen_at) VALUES (\(name), \(isRead), \(now))
            ON CONFLICT (name) DO NOTHING
            """
        ) == 1
    }

    /// Marks an object as not ours.
    static func markUnrecognized(_ name: String, in tx: Transaction) throws {
        try tx.execute("UPDATE cloud_object SET is_read = 0 WHERE name = \(name)")
    }

    static func touch(_ names: [String], now: Instant, in tx: Transaction) throws {
        guard !names.isEmpty else { return }
        try tx.execute("UPDATE cloud_object SET seen_at = \(now) WHERE name IN \(list: names)")
    }

    static func forget(_ name: String, in tx: Transaction) throws {
        try tx.execute("DELETE FROM cloud_object WHERE name = \(name)")
    }

    /// Forgets objects that are no longer in the bucket.
    static func forget(notSeenSince instant: Instant, in tx: Transaction) throws {
        try tx.executeAndWait("DELETE FROM cloud_object WHERE seen_at < \(instant)")
    }

    // MARK: Quarantine

    /// Stores an entry for the administrators: without a proof by a tracker, the owner is unknown.
    static func quarantine(_ entry: QuarantineEntry, in tx: Transaction) throws {
        try tx.execute(
            """
            INSERT INTO cloud_quarantine (id, source, received_at, reason) VALUES (
                \(entry.id), \(entry.sourceID), \(entry.receivedAt), \(entry.reason)
            )
            """
        )
        try tx.execute(
            """
            DELETE FROM cloud_quarantine WHERE id <= (
                SELECT id FROM cloud_quarantine ORDER BY id DESC LIMIT 1 OFFSET \(Limits.cloudQuarantine)
            )
            """
        )
    }

    /// Newest first; empty for an account that isn't an administrator's, and for an access token.
    static func quarantine(
        for actor: Actor, before: String, limit: Int, in tx: Transaction
    ) throws -> [QuarantineEntry] {
        guard try AdministratorPolicy.isAdministrator(actor, in: tx) else { return [] }
        return try tx.rows(
            """
            SELECT id, source, received_at, reason FROM cloud_quarantine WHERE id < \(before)
            ORDER BY id DESC LIMIT \(limit)
            """
        ).map {
            QuarantineEntry(
                id: try $0.get("id"), sourceID: try $0.get("source"), receivedAt: try $0.get("received_at"),
                reason: try $0.get("reason")
            )
        }
    }

    static func prune(before: Instant, in tx: Transaction) throws {
        try tx.executeAndWait("DELETE FROM cloud_quarantine WHERE received_at < \(before)")
    }
}
