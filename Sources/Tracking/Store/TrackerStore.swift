import Kernel
import Storage
import TrackerProtocol

/// A row of the table `tracker`.
struct StoredTracker {
    /// The states that an owner sees, and `free` for a tracker without an owner.
    enum State: String, SQLBindable, SQLReadable {
        case free
        case registering
        case bound
        case active
        case off
        case releasing
    }

    let id: TrackerID
    let publicKey: [UInt8]
    let codeHash: [UInt8]
    let serverPublicKey: [UInt8]
    /// The shared keys, encrypted.
    let keys: [UInt8]
    let mark: UplinkMark?
    var state: State
    var itemID: ID<Item>?
    var mode: TrackerMode
    var wanted: SwitchState
    var pendingSince: Instant?
    var pendingUntil: Instant?
    var isLate: Bool
    /// When the tracker turned off; `nil` in every other state.
    var offSince: Instant?
    /// The device id of its SIM at Hologram, as the tracker reports it; `nil` before a report.
    var hologramDevice: Int64?
    /// The highest counter of its compact frames; 0 before the first.
    var compactCounter: Int64 = 0
    /// When the server next polls it through the cloud; `nil` while it isn't polled.
    var nextPollAt: Instant?
}

/// The table `tracker`. Rows are locked before those of `item`.
enum TrackerStore {
    private static let columns: SQL = """
        id, public_key, code_hash, server_public_key, keys, counter, tag, state, item_id, mode, wanted, pending_since,
        pending_until, is_late, off_since, hologram_device, compact_counter, ask_at
        """

    static func lock(_ id: TrackerID, in tx: Transaction) throws -> StoredTracker? {
        try tx.row("SELECT \(sql: columns) FROM tracker WHERE id = \(id) \(sql: tx.forUpdate)").map(read)
    }

    static func lock(item: ID<Item>, in tx: Transaction) throws -> StoredTracker? {
        try tx.row("SELECT \(sql: columns) FROM tracker WHERE item_id = \(item) \(sql: tx.forUpdate)").map(read)
    }

    static func lock(codeHash: [UInt8], in tx: Transaction) throws -> StoredTracker? {
        try tx.row("SELECT \(sql: columns) FROM tracker WHERE code_hash = \(codeHash) \(sql: tx.forUpdate)").map(read)
    }

    static func find(_ id: TrackerID, in tx: Transaction) throws -> StoredTracker? {
        try tx.row("SELECT \(sql: columns) FROM tracker WHERE id = \(id)").map(read)
    }

    static func find(publicKey: [UInt8], in tx: Transaction) throws -> StoredTracker? {
        try tx.row("SELECT \(sql: columns) FROM tracker WHERE public_key = \(publicKey)").map(read)
    }

    static func trackers(where condition: SQL, order: SQL, limit: Int, in tx: Transaction) throws -> [StoredTracker] {
        try tx.rows(
            "SELECT \(sql: columns) FROM tracker WHERE \(sql: condition) ORDER BY \(sql: order) LIMIT \(limit)"
        ).map(read)
    }

    /// Stores a tracker that made its first contact.
    /// - Returns: False when its key or its code is already stored.
    static func insert(_ tracker: StoredTracker, now: Instant, in tx: Transaction) throws -> Bool {
        try tx.executeCounting(
            """
            INSERT INTO tracker (id, public_key, code_hash, server_public_key, keys, state, contacted_at) VALUES (
                \(tracker.id), \(tracker.publicKey), \(tracker.codeHash), \(tracker.serverPublicKey), \(tracker.keys),
                \(tracker.state), \(now)
            ) ON CONFLICT DO NOTHING
            """
        ) == 1
    }

    /// Stores all columns that can change.
    static func update(_ tracker: StoredTracker, mark: UplinkMark?, contactedAt: Instant?, in tx: Transaction) throws {
        let contact: SQL = contactedAt.map { ", contacted_at = \($0)" } ?? SQL()
        try tx.execute(
            """
            UPDATE tracker SET counter = \(mark?.counter), tag = \(mark?.tag), state = \(tracker.state),
                item_id = \(tracker.itemID), mode = \(tracker.mode.rawValue), wanted = \(tracker.wanted),
                pending_since = \(tracker.pendingSince), pending_until = \(tracker.pendingUntil),
                is_late = \(tracker.isLate), off_since = \(tracker.offSince),
                hologram_device = \(tracker.hologramDevice), compact_counter = \(tracker.compactCounter),
                ask_at = \(tracker.nextPollAt)\(sql: contact)
            WHERE id = \(tracker.id)
            """
        )
    }

    static func touch(_ id: TrackerID, now: Instant, in tx: Transaction) throws {
        try tx.execute("UPDATE tracker SET contacted_at = \(now) WHERE id = \(id)")
    }

    static func delete(_ id: TrackerID, in tx: Transaction) throws {
        try tx.execute("DELETE FROM tracker WHERE id = \(id)")
    }

    static func purgeUnclaimed(before: Instant, in tx: Transaction) throws {
        try tx.execute("DELETE FROM tracker WHERE state = 'free' AND contacted_at < \(before)")
    }

    /// Trackers whose switch was not confirmed in time and isn't marked as such yet; the oldest first.
    static func unconfirmed(now: Instant, in tx: Transaction) throws -> [TrackerID] {
        try tx.rows(
            """
            SELECT id FROM (
                SELECT id, pending_until FROM tracker
                WHERE is_late = 0 AND pending_until IS NOT NULL AND pending_until <= \(now)
                UNION ALL
                SELECT id, pending_until FROM tracker
                WHERE is_late = 1 AND (
                    state = 'active' AND wanted = 'off' OR state = 'off' AND wanted = 'on'
                    OR state IN ('registering', 'bound') AND wanted = 'on' AND NOT EXISTS (
                        SELECT 1 FROM command c WHERE c.tracker_id = tracker.id AND c.state IN ('queued', 'sent')
                            AND c.expires_at > \(now) AND c.kind IN \(list: CommandKind.activate.group)
                    )
                )
            ) AS unconfirmed ORDER BY pending_until, id LIMIT \(Limits.housekeepingBatch)
            """
        ).map { try $0.get("id") }
    }

    private static func read(_ row: Row) throws -> StoredTracker {
        let mode: String = try row.get("mode")
        var mark: UplinkMark?
        if let counter: Int64 = try row.get("counter"), let tag: [UInt8] = try row.get("tag") {
            mark = UplinkMark(counter: counter, tag: tag)
        }
        return StoredTracker(
            id: try row.get("id"), publicKey: try row.get("public_key"), codeHash: try row.get("code_hash"),
            serverPublicKey: try row.get("server_public_key"), keys: try row.get("keys"), mark: mark,
            state: try row.get("state"), itemID: try row.get("item_id"), mode: TrackerMode(rawValue: mode) ?? .cellular,
            wanted: try row.get("wanted"), pendingSince: try row.get("pending_since"),
            pendingUntil: try row.get("pending_until"), isLate: try row.get("is_late"),
            offSince: try row.get("off_since"), hologramDevice: try row.get("hologram_device"),
            compactCounter: try row.get("compact_counter"), nextPollAt: try row.get("ask_at")
        )
    }
}
