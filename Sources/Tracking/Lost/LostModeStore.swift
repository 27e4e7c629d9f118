import Kernel
import Storage

/// The table `lost_mode`, and its state in `whereabouts`. The lock order is that of the ingest: the row in
/// `whereabouts` first.
enum LostModeStore {
    static func find(_ item: ID<Item>, in tx: Transaction) throws -> LostMode? {
        try tx.row(
            "SELECT message, contact, shows_photo, version, started_at FROM lost_mode WHERE item_id = \(item)"
        ).map(read)
    }

    /// Turns lost mode on.
    /// - Parameter isApart: Whether the item's return ends it without an earlier separation.
    static func insert(_ mode: LostMode, isApart: Bool, of item: ID<Item>, in tx: Transaction) throws {
        try tx.execute(
            "UPDATE whereabouts SET lost_since = \(mode.since), lost_apart = \(isApart) WHERE item_id = \(item)"
        )
        try tx.execute(
            """
            INSERT INTO lost_mode (item_id, message, contact, shows_photo, version, started_at)
            VALUES (
                \(item), \(mode.message), \(mode.contact?.text), \(mode.showsPhoto), \(mode.version), \(mode.since)
            )
            """
        )
    }

    static func update(_ mode: LostMode, of item: ID<Item>, in tx: Transaction) throws {
        try tx.execute(
            """
            UPDATE lost_mode SET message = \(mode.message), contact = \(mode.contact?.text),
                shows_photo = \(mode.showsPhoto), version = \(mode.version)
            WHERE item_id = \(item)
            """
        )
    }

    static func setApart(_ item: ID<Item>, in tx: Transaction) throws {
        try tx.execute("UPDATE whereabouts SET lost_apart = 1 WHERE item_id = \(item)")
    }

    /// Turns lost mode off.
    static func delete(_ item: ID<Item>, in tx: Transaction) throws {
        try tx.execute("UPDATE whereabouts SET lost_since = NULL, lost_apart = 0 WHERE item_id = \(item)")
        try tx.execute("DELETE FROM lost_mode WHERE item_id = \(item)")
    }

    /// Deletes lost mode, the label and the finders' words of a deleted item.
    static func deleteAll(of item: ID<Item>, now: Instant, in tx: Transaction) throws {
        try tx.execute("DELETE FROM lost_mode WHERE item_id = \(item)")
        try ItemLabelStore.delete(of: item, now: now, in: tx)
        try tx.execute("DELETE FROM finder_report WHERE item_id = \(item)")
    }

    private static func read(_ row: Row) throws -> LostMode {
        let contact: String? = try row.get("contact")
        return LostMode(
            message: try row.get("message"), contact: contact.flatMap { FinderContact($0) },
            showsPhoto: try row.get("shows_photo"), since: try row.get("started_at"), version: try row.get("version")
        )
    }
}
