import Kernel
import Storage

/// The tables `item_label` and `former_label`.
enum ItemLabelStore {
    /// What a label leads to.
    enum Target {
        case item(Item)
        /// The owner made a new label.
        case replaced
        /// The item was deleted.
        case removed
    }

    /// The encrypted secret of an item's label.
    static func sealedSecret(of item: ID<Item>, in tx: Transaction) throws -> [UInt8]? {
        try tx.row("SELECT secret FROM item_label WHERE item_id = \(item)")?.get("secret")
    }

    /// What a label leads to; `nil` for a secret that isn't one of a label.
    static func target(ofHash hash: [UInt8], in tx: Transaction) throws -> Target? {
        if let row = try tx.row("SELECT item_id FROM item_label WHERE secret_hash = \(hash)") {
            return try ItemStore.served(try row.get("item_id"), in: tx).map(Target.item)
        }
        return try tx.row("SELECT item_id FROM former_label WHERE secret_hash = \(hash)").map { row in
            let item: ID<Item>? = try row.get("item_id")
            return item == nil ? .removed : .replaced
        }
    }

    /// Stores a new secret, which replaces the present one.
    static func store(hash: [UInt8], sealed: [UInt8], of item: ID<Item>, now: Instant, in tx: Transaction) throws {
        try end(of: item, item, now: now, in: tx)
        try tx.execute(
            """
            DELETE FROM former_label WHERE item_id = \(item) AND secret_hash NOT IN (
                SELECT secret_hash FROM former_label WHERE item_id = \(item)
                ORDER BY ended_at DESC, secret_hash LIMIT \(Limits.formerLabelsPerItem)
            )
            """
        )
        try tx.execute(
            """
            INSERT INTO item_label (item_id, secret_hash, secret, created_at)
            VALUES (\(item), \(hash), \(sealed), \(now))
            ON CONFLICT (item_id) DO UPDATE SET secret_hash = excluded.secret_hash, secret = excluded.secret,
                created_at = excluded.created_at
            """
        )
    }

    /// Deletes the label of a deleted item. Its earlier labels no longer name the item.
    static func delete(of item: ID<Item>, now: Instant, in tx: Transaction) throws {
        try end(of: item, nil, now: now, in: tx)
        try tx.execute("UPDATE former_label SET item_id = NULL WHERE item_id = \(item)")
        try tx.execute("DELETE FROM item_label WHERE item_id = \(item)")
    }

    static func prune(before: Instant, in tx: Transaction) throws {
        try tx.execute("DELETE FROM former_label WHERE ended_at <= \(before)")
    }

    /// Remembers that the present label of an item no longer works.
    private static func end(of item: ID<Item>, _ kept: ID<Item>?, now: Instant, in tx: Transaction) throws {
        let row = try tx.row("SELECT secret_hash FROM item_label WHERE item_id = \(item)")
        guard let hash: [UInt8] = try row?.get("secret_hash") else { return }
        try tx.execute(
            """
            INSERT INTO former_label (secret_hash, item_id, ended_at) VALUES (\(hash), \(kept), \(now))
            ON CONFLICT DO NOTHING
            """
        )
    }
}
