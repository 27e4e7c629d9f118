import Kernel
import Storage

/// The table `item_label`.
enum ItemLabelStore {
    /// The encrypted secret of an item's label.
    static func sealedSecret(of item: ID<Item>, in tx: Transaction) throws -> [UInt8]? {
        try tx.row("SELECT secret FROM item_label WHERE item_id = \(item)")?.get("secret")
    }

    /// The item of a label.
    static func item(ofHash hash: [UInt8], in tx: Transaction) throws -> Item? {
        guard let row = try tx.row("SELECT item_id FROM item_label WHERE secret_hash = \(hash)") else { return nil }
        return try ItemStore.served(try row.get("item_id"), in: tx)
    }

    /// Stores a new secret, which replaces the present one.
    static func store(hash: [UInt8], sealed: [UInt8], of item: ID<Item>, now: Instant, in tx: Transaction) throws {
        try tx.execute(
            """
            INSERT INTO item_label (item_id, secret_hash, secret, created_at)
            VALUES (\(item), \(hash), \(sealed), \(now))
            ON CONFLICT (item_id) DO UPDATE SET secret_hash = excluded.secret_hash, secret = excluded.secret,
                created_at = excluded.created_at
            """
        )
    }
}
