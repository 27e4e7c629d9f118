import Hologram
import Kernel
import Storage
import TrackerProtocol

/// A command that waits for its delivery to a tracker through the cloud.
struct CommandDelivery: Sendable {
    let command: Command
    let item: ID<Item>?
    let tracker: TrackerID
    /// The tracker's keys, encrypted.
    let keys: [UInt8]
    /// The tracker's device id at Hologram.
    let device: Int64
    /// The number of started attempts, including this one. It also identifies the node that started the latest attempt.
    let attempt: Int
}

/// The table `hologram_errand`: one row for each command that still has to be sent through the cloud.
enum CommandDeliveryStore {
    static func add(_ command: ID<Command>, at: Instant, in tx: Transaction) throws {
        _ = try tx.execute(
            "INSERT INTO hologram_errand (command_id, next_at) VALUES (\(command), \(at)) ON CONFLICT DO NOTHING"
        )
    }

    /// Claims the due deliveries and removes the obsolete ones. No other node claims them within the next
    /// ``Limits/hologramLeaseSeconds``.
    /// - Returns: The deliveries, and how many were due.
    static func claim(now: Instant, limit: Int, in tx: Transaction) throws -> (deliveries: [CommandDelivery], due: Int)
    {
        let due = try tx.rows(
            """
            SELECT command_id, attempts FROM hologram_errand WHERE next_at <= \(now)
            ORDER BY next_at, command_id LIMIT \(limit) \(sql: tx.forUpdateSkipLocked)
            """
        )
        let deliveries: [CommandDelivery] = try due.compactMap { row in
            let id: ID<Command> = try row.get("command_id")
            let attempt = try row.get("attempts", as: Int.self) + 1
            guard let delivery = try delivery(id, attempt: attempt, now: now, in: tx) else {
                _ = try tx.execute("DELETE FROM hologram_errand WHERE command_id = \(id)")
                return nil
            }
            _ = try tx.execute(
                """
                UPDATE hologram_errand SET attempts = \(attempt),
                    next_at = \(now.adding(seconds: Limits.hologramLeaseSeconds))
                WHERE command_id = \(id)
                """
            )
            return delivery
        }
        return (deliveries, due.count)
    }

    /// Returns `nil` for a command that isn't open or a tracker without a device. A tracker that has not proved its device
    /// gets no messages while a tracker of another account has proved the same one.
    private static func delivery(
        _ id: ID<Command>, attempt: Int, now: Instant, in tx: Transaction
    ) throws -> CommandDelivery? {
        let row = try tx.row(
            """
            SELECT t.id, t.keys, t.hologram_device, c.item_id FROM command c JOIN tracker t ON t.id = c.tracker_id
                LEFT JOIN item i ON i.id = t.item_id
            WHERE c.id = \(id) AND c.state IN ('queued', 'sent') AND (c.expires_at IS NULL OR c.expires_at > \(now))
                AND t.hologram_device IS NOT NULL AND (t.compact_counter > 0 OR NOT EXISTS (
                    SELECT 1 FROM tracker o JOIN item oi ON oi.id = o.item_id
                    WHERE o.hologram_device = t.hologram_device AND o.compact_counter > 0
                        AND (i.account_id IS NULL OR oi.account_id <> i.account_id)
                ))
            """
        )
        guard let row, let command = try CommandStore.command(id, now: now, in: tx) else { return nil }
        return CommandDelivery(
            command: command, item: try row.get("item_id"), tracker: try row.get("id"), keys: try row.get("keys"),
            device: try row.get("hologram_device"), attempt: attempt
        )
    }

    /// Removes the delivery of a command.
    static func remove(_ command: ID<Command>, in tx: Transaction) throws {
        _ = try tx.execute("DELETE FROM hologram_errand WHERE command_id = \(command)")
    }

    /// Ends a delivery, unless another node has claimed it since.
    static func finish(_ delivery: CommandDelivery, in tx: Transaction) throws {
        _ = try tx.execute(
            "DELETE FROM hologram_errand WHERE command_id = \(delivery.command.id) AND attempts = \(delivery.attempt)"
        )
    }

    /// Postpones a delivery, unless another node has claimed it since.
    static func postpone(_ delivery: CommandDelivery, until: Instant, in tx: Transaction) throws {
        _ = try tx.execute(
            """
            UPDATE hologram_errand SET next_at = \(until)
            WHERE command_id = \(delivery.command.id) AND attempts = \(delivery.attempt)
            """
        )
    }

    /// Postpones all deliveries: the cloud's rate limit applies to the whole account.
    static func postponeAll(until: Instant, in tx: Transaction) throws {
        _ = try tx.execute("UPDATE hologram_errand SET next_at = \(until) WHERE next_at < \(until)")
    }

    /// When the next delivery is due; `nil` without deliveries.
    static func nextDue(in tx: Transaction) throws -> Instant? {
        try tx.row("SELECT MIN(next_at) AS next FROM hologram_errand")?.get("next")
    }
}

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
