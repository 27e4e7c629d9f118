import Kernel
import Storage
import TrackerProtocol

/// A command that waits for its delivery to a tracker through the cloud.
struct CommandDelivery: Sendable {
    let command: Command
    let item: ID<Item>?
    /// The tracker's keys, encrypted.
    let keys: [UInt8]
    /// The tracker's device id at Hologram.
    let device: Int64
}

/// Reads what the delivery of a command needs.
enum CommandDeliveryStore {
    /// Returns `nil` for a command that isn't open or a tracker without a device. A tracker that has not proved its
    /// device gets no messages while a tracker of another account has proved the same one.
    static func delivery(_ id: ID<Command>, now: Instant, in tx: Transaction) throws -> CommandDelivery? {
        let row = try tx.row(
            """
            SELECT t.keys, t.hologram_device, c.item_id FROM command c JOIN tracker t ON t.id = c.tracker_id
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
            command: command, item: try row.get("item_id"), keys: try row.get("keys"),
            device: try row.get("hologram_device"))
    }
}
