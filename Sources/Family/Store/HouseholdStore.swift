import Kernel
import Notifications
import Storage

/// A phantom type for the ids of households. A household has parents, children and chores.
enum Household {}

extension Member.Role: SQLBindable, SQLReadable {}

/// A row of `family_member`.
struct StoredMember: Sendable, Hashable {
    let person: PersonID
    let household: ID<Household>
    let role: Member.Role
    /// The time of a child's deletion. A deleted child is hidden from all members, and can be restored for a while.
    let deletedAt: Instant?
}

/// The tables `family_household` and `family_member`.
enum HouseholdStore {
    private static let columns: SQL = "person_id, household_id, role, deleted_at"

    static func insert(_ id: ID<Household>, now: Instant, in tx: Transaction) throws {
        try tx.execute("INSERT INTO family_household (id, created_at) VALUES (\(id), \(now))")
    }

    /// Locks the household until the end of the transaction, so that changes in it happen one after another. Lock it
    /// before any ledger account; of several households, lock the one with the lowest id first.
    /// - Returns: whether the household exists.
    static func lock(_ id: ID<Household>, in tx: Transaction) throws -> Bool {
        try tx.row("SELECT id FROM family_household WHERE id = \(id) \(sql: tx.forUpdate)") != nil
    }

    /// Deletes a household without members.
    static func delete(_ id: ID<Household>, in tx: Transaction) throws {
        try tx.execute("DELETE FROM family_invitation WHERE household_id = \(id)")
        try tx.execute("DELETE FROM family_removal WHERE household_id = \(id)")
        try tx.execute("DELETE FROM family_withdrawn_removal WHERE household_id = \(id)")
        try PauseStore.deleteAll(of: id, in: tx)
        try tx.execute("DELETE FROM family_swap WHERE household_id = \(id)")
        try tx.execute("DELETE FROM family_household WHERE id = \(id)")
    }

    static func createdAt(_ id: ID<Household>, in tx: Transaction) throws -> Instant? {
        try tx.row("SELECT created_at FROM family_household WHERE id = \(id)")?.get("created_at")
    }

    // MARK: Members

    /// Returns the name of a person; empty for a deleted account.
    static func name(of person: PersonID, in tx: Transaction) throws -> String {
        try tx.row("SELECT name FROM account WHERE id = \(person)")?.get("name", as: String.self) ?? ""
    }

    /// Returns the person for a notification.
    static func named(_ person: PersonID, in tx: Transaction) throws -> NamedPerson {
        NamedPerson(person, try name(of: person, in: tx))
    }

    /// - Returns: whether the person had no household before.
    static func insert(_ member: StoredMember, now: Instant, in tx: Transaction) throws -> Bool {
        try tx.executeCounting(
            """
            INSERT INTO family_member (person_id, household_id, role, joined_at)
            VALUES (\(member.person), \(member.household), \(member.role), \(now))
            ON CONFLICT (person_id) DO NOTHING
            """
        ) == 1
    }

    static func member(_ person: PersonID, in tx: Transaction) throws -> StoredMember? {
        try tx.row("SELECT \(sql: columns) FROM family_member WHERE person_id = \(person)").map(read)
    }

    /// Returns all members except deleted children.
    static func members(of household: ID<Household>, in tx: Transaction) throws -> [StoredMember] {
        try tx.rows(
            """
            SELECT \(sql: columns) FROM family_member
            WHERE household_id = \(household) AND deleted_at IS NULL ORDER BY role, person_id
            """
        ).map(read)
    }

    /// Returns the parents in ascending order of their ids.
    static func parents(of household: ID<Household>, in tx: Transaction) throws -> [PersonID] {
        try members(of: household, in: tx).filter { $0.role == .parent }.map(\.person)
    }

    /// Returns the members with a role in the order of their accounts' creation, without deleted children.
    static func page(
        of household: ID<Household>, _ role: Member.Role, after: PersonID?, limit: Int, in tx: Transaction
    ) throws -> [PersonID] {
        try tx.rows(
            """
            SELECT person_id FROM family_member
            WHERE household_id = \(household) AND role = \(role) AND deleted_at IS NULL \(sql: .after(after, "person_id"))
            ORDER BY person_id LIMIT \(limit)
            """
        ).map { try $0.get("person_id") }
    }

    /// Returns the parent who created the household; after they leave, the parent who has been in it longest. It is
    /// computed from the members, so every way of leaving passes the role on.
    static func maker(of household: ID<Household>, in tx: Transaction) throws -> PersonID? {
        try tx.row(
            """
            SELECT person_id FROM family_member WHERE household_id = \(household) AND role = 'parent'
            ORDER BY joined_at, person_id LIMIT 1
            """
        )?.get("person_id")
    }

    /// Returns the time at which a person joined their present household.
    static func joinedAt(_ person: PersonID, in tx: Transaction) throws -> Instant? {
        try tx.row("SELECT joined_at FROM family_member WHERE person_id = \(person)")?.get("joined_at")
    }

    static func count(of household: ID<Household>, _ role: Member.Role, in tx: Transaction) throws -> Int {
        try tx.row(
            """
            SELECT COUNT(*) AS total FROM family_member
            WHERE household_id = \(household) AND role = \(role) AND deleted_at IS NULL
            """
        )?.get("total") ?? 0
    }

    /// Returns all children, including deleted ones that can be restored.
    static func allChildren(of household: ID<Household>, in tx: Transaction) throws -> [PersonID] {
        try tx.rows(
            "SELECT person_id FROM family_member WHERE household_id = \(household) AND role = 'child' ORDER BY person_id"
        ).map { try $0.get("person_id") }
    }

    static func setDeleted(_ instant: Instant?, child: PersonID, in tx: Transaction) throws {
        try tx.execute("UPDATE family_member SET deleted_at = \(instant) WHERE person_id = \(child)")
    }

    static func move(_ person: PersonID, to household: ID<Household>, now: Instant, in tx: Transaction) throws {
        try tx.execute(
            "UPDATE family_member SET household_id = \(household), joined_at = \(now) WHERE person_id = \(person)"
        )
    }

    static func remove(_ person: PersonID, in tx: Transaction) throws {
        try tx.execute("DELETE FROM family_member WHERE person_id = \(person)")
    }

    /// Returns the deleted children of a household with the time of their deletion, the last deleted first.
    static func deletedChildren(
        of household: ID<Household>, in tx: Transaction
    ) throws -> [(child: PersonID, deletedAt: Instant)] {
        try tx.rows(
            """
            SELECT person_id, deleted_at FROM family_member
            WHERE household_id = \(household) AND role = 'child' AND deleted_at IS NOT NULL
            ORDER BY deleted_at DESC, person_id LIMIT \(Limits.deletedChildrenPerHousehold)
            """
        ).map { (try $0.get("person_id"), try $0.get("deleted_at")) }
    }

    static func deletedChildren(before: Instant, limit: Int, in tx: Transaction) throws -> [PersonID] {
        try tx.rows(
            """
            SELECT person_id FROM family_member WHERE deleted_at <= \(before)
            ORDER BY deleted_at LIMIT \(limit)
            """
        ).map { try $0.get("person_id") }
    }

    private static func read(_ row: Row) throws -> StoredMember {
        StoredMember(
            person: try row.get("person_id"), household: try row.get("household_id"), role: try row.get("role"),
            deletedAt: try row.get("deleted_at")
        )
    }
}
