import Kernel
import Pictures
import Storage

/// The table `item`. Only ``deletedItemWithHistory(in:)`` returns deleted items.
enum ItemStore {
    private static let columns: SQL = """
        i.id, i.account_id, i.name, i.picture_id, i.locate_minutes, i.lost_metres, i.alert_metres, i.walk_metres,
        i.keep_days, i.silent_hours, i.version, i.created_at
        """

    /// Returns the item as the person sees it, with their own name and alert distance; `nil` when it is absent or
    /// isn't shared with the person.
    static func item(_ id: ID<Item>, of person: PersonID, in tx: Transaction) throws -> Item? {
        try tx.row(
            """
            SELECT i.id, i.account_id, COALESCE(m.name, i.name) AS name, i.picture_id, i.locate_minutes, i.lost_metres,
                COALESCE(m.alert_metres, i.alert_metres) AS alert_metres, i.walk_metres, i.keep_days, i.silent_hours,
                i.version, i.created_at
            FROM item i LEFT JOIN item_member m ON m.item_id = i.id AND m.account_id = \(person)
            WHERE i.id = \(id) AND i.deleted_at IS NULL
                AND (i.account_id = \(person) OR m.account_id IS NOT NULL)
            """
        ).map(read)
    }

    /// Returns the item as the person sees it.
    /// - Throws: `AppError`: `notFound` when it is absent or isn't shared with the person; `forbidden` when the person
    ///   has less access.
    static func item(
        _ id: ID<Item>, of person: PersonID, requires required: ItemAccess, in tx: Transaction
    ) throws -> Item {
        try require(required, of: person, to: id, in: tx)
        guard let item = try item(id, of: person, in: tx) else { throw AppError.notFound }
        return item
    }

    /// Returns the item and locks its row until the transaction ends.
    /// - Parameter required: The access that the person needs.
    /// - Throws: `AppError`: `notFound` when it is absent or isn't shared with the person; `forbidden` when the person
    ///   has less access.
    static func lock(
        _ id: ID<Item>, of person: PersonID, requires required: ItemAccess, in tx: Transaction
    ) throws -> Item {
        let item = try lockServed(id, in: tx)
        try requireAccess(of: person, to: id, owner: item.owner, required, in: tx)
        return item
    }

    /// - Throws: `AppError`: `notFound` when the item is absent or isn't shared with the person; `forbidden` when the
    ///   person has less access.
    static func require(
        _ required: ItemAccess, of person: PersonID, to id: ID<Item>, in tx: Transaction
    ) throws {
        let row = try tx.row("SELECT account_id FROM item WHERE id = \(id) AND deleted_at IS NULL")
        guard let row else { throw AppError.notFound }
        try requireAccess(of: person, to: id, owner: row.get("account_id"), required, in: tx)
    }

    /// Whether the person has at least this access to the item.
    static func has(_ access: ItemAccess, _ person: PersonID, to id: ID<Item>, in tx: Transaction) throws -> Bool {
        let row = try tx.row("SELECT account_id FROM item WHERE id = \(id) AND deleted_at IS NULL")
        guard let owner: PersonID = try row?.get("account_id") else { return false }
        return try Self.access(of: person, to: id, owner: owner, in: tx).map { $0 >= access } ?? false
    }

    /// What the person may do with the item; `nil` for nothing.
    static func access(
        of person: PersonID, to id: ID<Item>, owner: PersonID, in tx: Transaction
    ) throws -> ItemAccess? {
        owner == person ? .own : try ItemMemberStore.access(of: person, to: id, in: tx)
    }

    /// The ids of the items that a person can see: the person's own and the shared ones. May contain deleted items.
    static func visible(to person: PersonID) -> SQL {
        """
        SELECT id FROM item WHERE account_id = \(person)
        UNION ALL SELECT item_id FROM item_member WHERE account_id = \(person)
        """
    }

    private static func requireAccess(
        of person: PersonID, to id: ID<Item>, owner: PersonID, _ required: ItemAccess, in tx: Transaction
    ) throws {
        guard let access = try access(of: person, to: id, owner: owner, in: tx) else { throw AppError.notFound }
        try access.require(required)
    }

    /// Locks and returns the item regardless of its owner.
    /// - Throws: `AppError.notFound`.
    static func lockServed(_ id: ID<Item>, in tx: Transaction) throws -> Item {
        let row = try tx.row(
            "SELECT \(sql: columns) FROM item i WHERE i.id = \(id) AND i.deleted_at IS NULL \(sql: tx.forUpdate)")
        guard let row else { throw AppError.notFound }
        return try read(row)
    }

    /// The item that a tracker serves, regardless of its owner.
    static func served(_ id: ID<Item>, in tx: Transaction) throws -> Item? {
        try tx.row("SELECT \(sql: columns) FROM item i WHERE i.id = \(id) AND i.deleted_at IS NULL").map(read)
    }

    /// The owner of the item that a tracker serves; `nil` for a tracker without an item.
    static func owner(servedBy tracker: StoredTracker, in tx: Transaction) throws -> PersonID? {
        guard let item = tracker.itemID else { return nil }
        return try tx.row("SELECT account_id FROM item WHERE id = \(item) AND deleted_at IS NULL")?.get("account_id")
    }

    static func count(of owner: PersonID, in tx: Transaction) throws -> Int {
        try tx.row("SELECT COUNT(*) AS total FROM item WHERE account_id = \(owner) AND deleted_at IS NULL")?
            .get("total") ?? 0
    }

    static func ids(of owner: PersonID, in tx: Transaction) throws -> [ID<Item>] {
        try tx.rows(
            """
            SELECT id FROM item WHERE account_id = \(owner) AND deleted_at IS NULL
            ORDER BY id LIMIT \(Limits.itemsPerAccount)
            """
        ).map { try $0.get("id") }
    }

    static func insert(_ item: Item, in tx: Transaction) throws {
        let settings = item.settings
        try tx.execute(
            """
            INSERT INTO item (
                id, account_id, name, picture_id, locate_minutes, lost_metres, alert_metres, walk_metres, keep_days,
                silent_hours, version, created_at
            ) VALUES (
                \(item.id), \(item.owner), \(item.name), \(item.pictureID), \(settings.locateMinutes),
                \(settings.lostMetres), \(settings.alertMetres), \(settings.walkMetres), \(settings.keepDays),
                \(settings.silentHours), \(item.version), \(item.createdAt)
            )
            """
        )
        try tx.execute("INSERT INTO whereabouts (item_id) VALUES (\(item.id))")
        try AlertStore.watch(item.id, of: item.owner, in: tx)
    }

    /// Stores the name, picture, settings and version.
    static func update(_ item: Item, in tx: Transaction) throws {
        let settings = item.settings
        try tx.execute(
            """
            UPDATE item SET
                name = \(item.name), picture_id = \(item.pictureID), locate_minutes = \(settings.locateMinutes),
                lost_metres = \(settings.lostMetres), alert_metres = \(settings.alertMetres),
                walk_metres = \(settings.walkMetres), keep_days = \(settings.keepDays),
                silent_hours = \(settings.silentHours), version = \(item.version)
            WHERE id = \(item.id)
            """
        )
    }

    static func delete(_ id: ID<Item>, in tx: Transaction) throws {
        try tx.execute("DELETE FROM item WHERE id = \(id)")
    }

    /// Clears all data of a deleted item except the row that its history references.
    static func markDeleted(_ id: ID<Item>, now: Instant, in tx: Transaction) throws {
        let settings = ItemSettings.standard
        try tx.execute(
            """
            UPDATE item SET
                name = 'deleted', picture_id = NULL, locate_minutes = \(settings.locateMinutes),
                lost_metres = \(settings.lostMetres), alert_metres = \(settings.alertMetres),
                walk_metres = \(settings.walkMetres), keep_days = \(settings.keepDays),
                silent_hours = NULL, deleted_at = \(now)
            WHERE id = \(id)
            """
        )
    }

    /// Removes the owner from deleted items whose history is still being removed: the account is deleted first.
    static func removeOwner(_ owner: PersonID, in tx: Transaction) throws {
        try tx.execute(
            "UPDATE item SET account_id = NULL WHERE account_id = \(owner) AND deleted_at IS NOT NULL"
        )
    }

    /// Locks and returns the deleted item that has waited longest for the removal of its history.
    static func deletedItemWithHistory(in tx: Transaction) throws -> ID<Item>? {
        try tx.row(
            """
            SELECT id FROM item WHERE deleted_at IS NOT NULL ORDER BY deleted_at, id LIMIT 1 \(sql: tx.forUpdate)
            """
        )?.get("id")
    }

    /// Whether another item or the account's profile shows the picture.
    static func isPictureUsedElsewhere(_ picture: ID<Picture>, than id: ID<Item>, in tx: Transaction) throws -> Bool {
        let item = try tx.row("SELECT 1 AS used FROM item WHERE picture_id = \(picture) AND id <> \(id) LIMIT 1")
        if item != nil { return true }
        return try tx.row("SELECT 1 AS used FROM account WHERE avatar_picture_id = \(picture) LIMIT 1") != nil
    }

    static func read(_ row: Row) throws -> Item {
        Item(
            id: try row.get("id"), owner: try row.get("account_id"), name: try row.get("name"),
            pictureID: try row.get("picture_id"),
            settings: ItemSettings(
                locateMinutes: try row.get("locate_minutes"), lostMetres: try row.get("lost_metres"),
                alertMetres: try row.get("alert_metres"), walkMetres: try row.get("walk_metres"),
                keepDays: try row.get("keep_days"), silentHours: try row.get("silent_hours")
            ),
            version: try row.get("version"), createdAt: try row.get("created_at")
        )
    }
}
