import Kernel
import Storage

/// The table `quarantine`.
enum QuarantineStore {
    /// Adds an entry and removes the device's oldest entry beyond the limit.
    static func add(
        _ entry: QuarantineEntry, owner: PersonID, item: ID<Item>?, in tx: Transaction
    ) throws {
        try tx.execute(
            """
            INSERT INTO quarantine (id, account_id, item_id, device, received_at, reason) VALUES (
                \(entry.id), \(owner), \(item), \(entry.sourceID), \(entry.receivedAt), \(entry.reason)
            )
            """
        )
        try tx.execute(
            """
            DELETE FROM quarantine WHERE device = \(entry.sourceID) AND id <= (
                SELECT id FROM quarantine WHERE device = \(entry.sourceID)
                ORDER BY id DESC LIMIT 1 OFFSET \(Limits.quarantinePerSource)
            )
            """
        )
        try tx.publish(
            ChangeEvent(
                audience: owner, kind: "quarantine", resource: "/tracking/quarantine", version: 0, at: entry.receivedAt
            )
        )
    }

    /// Newest first.
    static func page(
        of owner: PersonID, after: ID<QuarantineEntry>?, limit: Int, in tx: Transaction
    ) throws -> [QuarantineEntry] {
        try tx.rows(
            """
            SELECT id, device, received_at, reason FROM quarantine
            WHERE account_id = \(owner) \(sql: .before(after)) ORDER BY id DESC LIMIT \(limit)
            """
        ).map {
            QuarantineEntry(
                id: try $0.get("id"), sourceID: try $0.get("device"), receivedAt: try $0.get("received_at"),
                reason: try $0.get("reason")
            )
        }
    }

    static func delete(device: String, in tx: Transaction) throws {
        try tx.execute("DELETE FROM quarantine WHERE device = \(device)")
    }

    static func delete(item: ID<Item>, in tx: Transaction) throws {
        try tx.execute("DELETE FROM quarantine WHERE item_id = \(item)")
    }

    static func deleteAll(of owner: PersonID, in tx: Transaction) throws {
        try tx.execute("DELETE FROM quarantine WHERE account_id = \(owner)")
    }

    static func prune(before: Instant, in tx: Transaction) throws {
        try tx.executeAndWait("DELETE FROM quarantine WHERE received_at < \(before)")
    }
}
