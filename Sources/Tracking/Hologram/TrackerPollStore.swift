import Kernel
import Storage
import TrackerProtocol

/// The times at which trackers are polled for their position: `tracker.ask_at`.
enum TrackerPollStore {
    /// Locks and returns the due trackers; skips those that another node has locked.
    static func due(now: Instant, limit: Int, in tx: Transaction) throws -> [TrackerID] {
        try tx.rows(
            "SELECT id FROM tracker WHERE ask_at <= \(now) ORDER BY ask_at, id LIMIT \(limit) \(sql: tx.forUpdateSkipLocked)"
        ).map { try $0.get("id") }
    }

    static func nextDue(in tx: Transaction) throws -> Instant? {
        try tx.row("SELECT MIN(ask_at) AS next FROM tracker WHERE ask_at IS NOT NULL")?.get("next")
    }

    /// The shortest interval of all polled trackers; `nil` without polled trackers.
    static func shortestMinutes(in tx: Transaction) throws -> Int? {
        try tx.row(
            """
            SELECT MIN(i.locate_minutes) AS minutes FROM tracker t JOIN item i ON i.id = t.item_id
            WHERE t.ask_at IS NOT NULL
            """
        )?.get("minutes")
    }

    /// Whether a tracker has a device at Hologram.
    static func hasDevices(in tx: Transaction) throws -> Bool {
        try tx.row("SELECT 1 AS one FROM tracker WHERE hologram_device IS NOT NULL LIMIT 1") != nil
    }

    /// The trackers that claim this device; those that have proved it come first.
    static func claimants(of device: Int64, in tx: Transaction) throws -> [StoredTracker] {
        try TrackerStore.trackers(
            where: "hologram_device = \(device) AND state <> 'free'",
            order: "CASE WHEN compact_counter > 0 THEN 0 ELSE 1 END, id", limit: Limits.trackersPerHologramDevice,
            in: tx
        )
    }
}
