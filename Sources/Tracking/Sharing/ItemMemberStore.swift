import Kernel
import Storage

/// The table `item_member`: the people with whom items are shared, and their own settings of them.
///
/// Each change locks the item's row first (`ItemStore.lock`), so that an item's people change one after another.
enum ItemMemberStore {
    static func access(of person: PersonID, to item: ID<Item>, in tx: Transaction) throws -> ItemAccess? {
        try tx.row("SELECT access FROM item_member WHERE item_id = \(item) AND account_id = \(person)")?.get("access")
    }

    /// The name of an account; empty for a deleted one.
    static func name(of person: PersonID, in tx: Transaction) throws -> String {
        try tx.row("SELECT name FROM account WHERE id = \(person)")?.get("name") ?? ""
    }

    /// The people with whom the item is shared; an empty array for most items.
    static func people(of item: ID<Item>, in tx: Transaction) throws -> [PersonID] {
        try tx.rows(
            """
            SELECT account_id FROM item_member WHERE item_id = \(item)
            ORDER BY account_id LIMIT \(Limits.peoplePerItem)
            """
        ).map { try $0.get("account_id") }
    }

    /// The owner and the people with whom the item is shared, who have at least `access`, each with the own name of it.
    /// - Parameter name: The owner's name.
    static func recipients(
        of item: ID<Item>, owner: PersonID, name: String, atLeast access: ItemAccess, includingMuted: Bool,
        in tx: Transaction
    ) throws -> [ItemAudience.Recipient] {
        let row = try tx.row("SELECT is_shared, is_muted FROM whereabouts WHERE item_id = \(item)")
        let isMuted: Bool = try row?.get("is_muted") ?? false
        var found: [ItemAudience.Recipient] =
            isMuted && !includingMuted ? [] : [.init(person: owner, itemName: name)]
        guard try row?.get("is_shared") ?? false else { return found }
        let unmuted: SQL = includingMuted ? SQL() : "AND is_muted = 0"
        let members = try tx.rows(
            """
            SELECT account_id, access, name FROM item_member
            WHERE item_id = \(item) \(sql: unmuted)
            ORDER BY account_id LIMIT \(Limits.peoplePerItem)
            """)
        for member in members where try member.get("access", as: ItemAccess.self) >= access {
            found.append(.init(person: try member.get("account_id"), itemName: try member.get("name") ?? name))
        }
        return found
    }

    /// The people with whom the item is shared, in the order in which they joined.
    static func list(of item: ID<Item>, in tx: Transaction) throws -> [ItemPerson] {
        try tx.rows(
            """
            SELECT m.account_id, a.name, m.access, m.joined_at FROM item_member m
            JOIN account a ON a.id = m.account_id
            WHERE m.item_id = \(item) ORDER BY m.joined_at, m.account_id LIMIT \(Limits.peoplePerItem)
            """
        ).map { row in
            ItemPerson(
                id: try row.get("account_id"), name: try row.get("name"), access: try row.get("access"),
                since: try row.get("joined_at"))
        }
    }

    /// The person's own name of the item; the owner's without one.
    static func itemName(of item: Item, for person: PersonID, in tx: Transaction) throws -> String {
        let row = try tx.row("SELECT name FROM item_member WHERE item_id = \(item.id) AND account_id = \(person)")
        return try row?.get("name") ?? item.name
    }

    static func count(of item: ID<Item>, in tx: Transaction) throws -> Int {
        try tx.row("SELECT COUNT(*) AS total FROM item_member WHERE item_id = \(item)")?.get("total") ?? 0
    }

    /// The number of items that are shared with the person.
    static func count(sharedWith person: PersonID, in tx: Transaction) throws -> Int {
        try tx.row("SELECT COUNT(*) AS total FROM item_member WHERE account_id = \(person)")?.get("total") ?? 0
    }

    static func items(sharedWith person: PersonID, in tx: Transaction) throws -> [ID<Item>] {
        try tx.rows(
            """
            SELECT item_id FROM item_member WHERE account_id = \(person)
            ORDER BY item_id LIMIT \(Limits.sharedItemsPerAccount)
            """
        ).map { try $0.get("item_id") }
    }

    /// Adds a person. The separation starts at once, so that alerts begin when the item was with the person.
    static func insert(
        _ person: PersonID, _ access: ItemAccess, to item: ID<Item>, now: Instant, in tx: Transaction
    ) throws {
        try tx.execute(
            """
            INSERT INTO item_member (item_id, account_id, access, apart_since, joined_at)
            VALUES (\(item), \(person), \(access), \(now), \(now))
            """
        )
        try tx.execute("UPDATE whereabouts SET is_shared = 1 WHERE item_id = \(item)")
        try AlertStore.watch(item, of: person, in: tx)
    }

    static func setAccess(
        _ access: ItemAccess, of person: PersonID, to item: ID<Item>, in tx: Transaction
    ) throws {
        try tx.execute(
            """
            UPDATE item_member SET access = \(access), version = version + 1
            WHERE item_id = \(item) AND account_id = \(person)
            """
        )
    }

    static func delete(_ person: PersonID, of item: ID<Item>, in tx: Transaction) throws {
        try tx.execute("DELETE FROM item_member WHERE item_id = \(item) AND account_id = \(person)")
        guard try count(of: item, in: tx) == 0 else { return }
        try tx.execute("UPDATE whereabouts SET is_shared = 0 WHERE item_id = \(item)")
    }

    static func deleteAll(of item: ID<Item>, in tx: Transaction) throws {
        try tx.execute("DELETE FROM item_member WHERE item_id = \(item)")
    }

    // MARK: Own settings

    /// The person's own settings of the item; `nil` when it isn't shared with the person.
    static func membership(of person: PersonID, in item: ID<Item>, in tx: Transaction) throws -> ItemMembership? {
        try tx.row(
            """
            SELECT access, name, alert_metres, is_muted, version FROM item_member
            WHERE item_id = \(item) AND account_id = \(person)
            """
        ).map { row in
            ItemMembership(
                access: try row.get("access"), name: try row.get("name"), alertMetres: try row.get("alert_metres"),
                isMuted: try row.get("is_muted"), version: try row.get("version"))
        }
    }

    static func update(
        _ membership: ItemMembership, of person: PersonID, in item: ID<Item>, in tx: Transaction
    ) throws {
        try tx.execute(
            """
            UPDATE item_member SET name = \(membership.name), alert_metres = \(membership.alertMetres),
                is_muted = \(membership.isMuted), version = \(membership.version)
            WHERE item_id = \(item) AND account_id = \(person)
            """
        )
    }

    static func isMuted(
        _ item: ID<Item>, by person: PersonID, owner: PersonID, in tx: Transaction
    ) throws -> Bool {
        person == owner
            ? try isMutedByOwner(item, in: tx)
            : try tx.row("SELECT is_muted FROM item_member WHERE item_id = \(item) AND account_id = \(person)")?
                .get("is_muted") ?? true
    }

    static func isMutedByOwner(_ item: ID<Item>, in tx: Transaction) throws -> Bool {
        try tx.row("SELECT is_muted FROM whereabouts WHERE item_id = \(item)")?.get("is_muted") ?? false
    }

    static func setMutedByOwner(_ isMuted: Bool, _ item: ID<Item>, in tx: Transaction) throws {
        try tx.execute("UPDATE whereabouts SET is_muted = \(isMuted) WHERE item_id = \(item)")
    }
}
