import Kernel
import Storage

/// The table `item_invitation`: the hashes of open invitations. A used invitation is deleted.
enum ItemInvitationStore {
    private static let columns: SQL = "id, item_id, access, created_by, expires_at"

    static func insert(
        _ invitation: ItemInvitation, to item: ID<Item>, hash: [UInt8], in tx: Transaction
    ) throws {
        try tx.execute(
            """
            INSERT INTO item_invitation (id, item_id, hash, access, created_by, expires_at)
            VALUES (
                \(invitation.id), \(item), \(hash), \(invitation.access), \(invitation.createdBy),
                \(invitation.expiresAt)
            )
            """
        )
    }

    static func find(
        hash: [UInt8], now: Instant, in tx: Transaction
    ) throws -> (invitation: ItemInvitation, item: ID<Item>)? {
        try tx.row(
            "SELECT \(sql: columns) FROM item_invitation WHERE hash = \(hash) AND expires_at > \(now)"
        ).map { (try read($0), try $0.get("item_id")) }
    }

    /// Returns the invitations that aren't expired, newest first.
    static func open(of item: ID<Item>, now: Instant, in tx: Transaction) throws -> [ItemInvitation] {
        try tx.rows(
            """
            SELECT \(sql: columns) FROM item_invitation WHERE item_id = \(item) AND expires_at > \(now)
            ORDER BY id DESC LIMIT \(Limits.openItemInvitations)
            """
        ).map(read)
    }

    static func delete(_ id: ID<ItemInvitation>, in tx: Transaction) throws {
        try tx.execute("DELETE FROM item_invitation WHERE id = \(id)")
    }

    /// Deletes the invitations to an item that a person created.
    static func deleteAll(by person: PersonID, of item: ID<Item>, in tx: Transaction) throws {
        try tx.execute("DELETE FROM item_invitation WHERE created_by = \(person) AND item_id = \(item)")
    }

    /// Deletes all invitations that a person created.
    /// - Returns: The items that they were for, each once.
    static func deleteAll(by person: PersonID, in tx: Transaction) throws -> [ID<Item>] {
        let rows = try tx.rows("DELETE FROM item_invitation WHERE created_by = \(person) RETURNING item_id")
        return Set(try rows.map { try $0.get("item_id", as: ID<Item>.self) }).sorted()
    }

    static func deleteAll(of item: ID<Item>, in tx: Transaction) throws {
        try tx.execute("DELETE FROM item_invitation WHERE item_id = \(item)")
    }

    static func prune(now: Instant, in tx: Transaction) throws {
        try tx.executeAndWait("DELETE FROM item_invitation WHERE expires_at <= \(now)")
    }

    private static func read(_ row: Row) throws -> ItemInvitation {
        ItemInvitation(
            id: try row.get("id"), access: try row.get("access"), createdBy: try row.get("created_by"),
            expiresAt: try row.get("expires_at"))
    }
}
