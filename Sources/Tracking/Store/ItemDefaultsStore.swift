import Kernel
import Storage

/// The table `item_defaults`: an account's settings for new items, where they differ from the product's defaults.
enum ItemDefaultsStore {
    static func defaults(of owner: PersonID, in tx: Transaction) throws -> ItemDefaults {
        try read(of: owner, holding: SQL(), in: tx) ?? ItemDefaults(settings: .standard, version: 1)
    }

    /// Reads the defaults and locks the row until the transaction ends, so that changes are serialized.
    static func lock(of owner: PersonID, in tx: Transaction) throws -> ItemDefaults {
        let standard = ItemSettings.standard
        try tx.execute(
            """
            INSERT INTO item_defaults (account_id, locate_minutes, lost_metres, alert_metres, walk_metres, version)
            VALUES (
                \(owner), \(standard.locateMinutes), \(standard.lostMetres), \(standard.alertMetres),
                \(standard.walkMetres), 1
            ) ON CONFLICT (account_id) DO NOTHING
            """
        )
        return try read(of: owner, holding: tx.forUpdate, in: tx) ?? ItemDefaults(settings: .standard, version: 1)
    }

    static func update(_ defaults: ItemDefaults, of owner: PersonID, in tx: Transaction) throws {
        let settings = defaults.settings
        try tx.execute(
            """
            UPDATE item_defaults SET
                locate_minutes = \(settings.locateMinutes), lost_metres = \(settings.lostMetres),
                alert_metres = \(settings.alertMetres), walk_metres = \(settings.walkMetres),
                version = \(defaults.version)
            WHERE account_id = \(owner)
            """
        )
    }

    static func deleteAll(of owner: PersonID, in tx: Transaction) throws {
        try tx.execute("DELETE FROM item_defaults WHERE account_id = \(owner)")
    }

    private static func read(of owner: PersonID, holding: SQL, in tx: Transaction) throws -> ItemDefaults? {
        try tx.row(
            """
            SELECT locate_minutes, lost_metres, alert_metres, walk_metres, version FROM item_defaults
            WHERE account_id = \(owner) \(sql: holding)
            """
        ).map { row in
            ItemDefaults(
                settings: ItemSettings(
                    locateMinutes: try row.get("locate_minutes"), lostMetres: try row.get("lost_metres"),
                    alertMetres: try row.get("alert_metres"), walkMetres: try row.get("walk_metres")
                ),
                version: try row.get("version")
            )
        }
    }
}
