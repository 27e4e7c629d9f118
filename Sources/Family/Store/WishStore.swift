import Kernel
import Storage

/// The table `family_wish`: the wishes on which no parent decided yet.
enum WishStore {
    static func insert(_ wish: Wish, in tx: Transaction) throws {
        try tx.execute(
            """
            INSERT INTO family_wish (id, child_id, name, at)
            VALUES (\(wish.id), \(wish.childID), \(wish.name), \(wish.at))
            """
        )
    }

    static func find(_ id: ID<Wish>, of child: PersonID, in tx: Transaction) throws -> Wish? {
        try tx.row("SELECT id, child_id, name, at FROM family_wish WHERE id = \(id) AND child_id = \(child)").map(read)
    }

    /// Returns the wishes, oldest first, without those of deleted children. Each child has at most
    /// ``Limits/wishesPerChild``.
    /// - Parameter child: `nil` for all children of the household.
    static func all(of child: PersonID?, household: ID<Household>, in tx: Transaction) throws -> [Wish] {
        let whose: SQL = child.map { "AND w.child_id = \($0)" } ?? SQL()
        return try tx.rows(
            """
            SELECT w.id, w.child_id, w.name, w.at FROM family_wish w
            JOIN family_member m ON m.person_id = w.child_id
            WHERE m.household_id = \(household) AND m.deleted_at IS NULL \(sql: whose) ORDER BY w.id
            """
        ).map(read)
    }

    /// Returns the wishes of a child, also of a deleted one.
    static func ofDeleted(_ child: PersonID, in tx: Transaction) throws -> [Wish] {
        try tx.rows("SELECT id, child_id, name, at FROM family_wish WHERE child_id = \(child) ORDER BY id").map(read)
    }

    static func count(of child: PersonID, in tx: Transaction) throws -> Int {
        try tx.row("SELECT COUNT(*) AS total FROM family_wish WHERE child_id = \(child)")?.get("total") ?? 0
    }

    static func delete(_ id: ID<Wish>, in tx: Transaction) throws {
        try tx.execute("DELETE FROM family_wish WHERE id = \(id)")
    }

    static func deleteAll(of child: PersonID, in tx: Transaction) throws {
        try tx.execute("DELETE FROM family_wish WHERE child_id = \(child)")
    }

    private static func read(_ row: Row) throws -> Wish {
        Wish(id: try row.get("id"), childID: try row.get("child_id"), name: try row.get("name"), at: try row.get("at"))
    }
}
