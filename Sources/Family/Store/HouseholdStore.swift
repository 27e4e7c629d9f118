import Kernel
import Storage

/// Parents, their children and their chores. Only a name for ids.
enum Household {}

extension Member.Role: SQLBindable, SQLReadable {}

/// Somebody's place in a household.
struct StoredMember: Sendable, Hashable {
    let person: PersonID
    let household: ID<Household>
    let role: Member.Role
    /// A child that is gone for everybody, though it can be brought back for a while.
    let deletedAt: Instant?
}

/// The tables `family_household` and `family_member`.
enum HouseholdStore {
    private static let columns: SQL = "person_id, household_id, role, deleted_at"

    static func insert(_ id: ID<Household>, now: Instant, in tx: Transaction) throws {
        try tx.execute("INSERT INTO family_household (id, created_at) VALUES (\(id), \(now))")
    }

    /// Holds the household until the end of the transaction: whatever changes in it changes one after another.
    /// Always before any account of the ledger; of several the lower id first.
    /// - Returns: whether it is there.
    static func lock(_ id: ID<Household>, in tx: Transaction) throws -> Bool {
        try tx.row("SELECT id FROM family_household WHERE id = \(id) \(sql: tx.forUpdate)") != nil
    }

    /// Removes a household that has nobody left.
    static func delete(_ id: ID<Household>, in tx: Transaction) throws {
        try tx.execute("DELETE FROM family_invitation WHERE household_id = \(id)")
        try tx.execute("DELETE FROM family_removal WHERE household_id = \(id)")
        try tx.execute("DELETE FROM family_withdrawn_removal WHERE household_id = \(id)")
        try tx.execute("DELETE FROM family_household WHERE id = \(id)")
    }

    static func createdAt(_ id: ID<Household>, in tx: Transaction) throws -> Instant? {
        try tx.row("SELECT created_at FROM family_household WHERE id = \(id)")?.get("created_at")
    }

    // MARK: Members

    /// - Returns: whether they had none yet.
    static func insert(_ member: StoredMember, now: Instant, in tx: Transaction) throws -> Bool {
        try tx.execute(
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

    /// Everybody who is there, deleted children left out.
    static func members(of household: ID<Household>, in tx: Transaction) throws -> [StoredMember] {
        try tx.rows(
            """
            SELECT \(sql: columns) FROM family_member
            WHERE household_id = \(household) AND deleted_at IS NULL ORDER BY role, person_id
            """
        ).map(read)
    }

    /// The parents, in the order of their ids.
    static func parents(of household: ID<Household>, in tx: Transaction) throws -> [PersonID] {
        try members(of: household, in: tx).filter { $0.role == .parent }.map(\.person)
    }

    /// People of one role by the time at which their accounts were made, deleted children left out.
    static func page(
        of household: ID<Household>, _ role: Member.Role, after: PersonID?, limit: Int, in tx: Transaction
    ) throws -> [PersonID] {
        let start: SQL = after.map { "AND person_id > \($0)" } ?? SQL()
        return try tx.rows(
            """
            SELECT person_id FROM family_member
            WHERE household_id = \(household) AND role = \(role) AND deleted_at IS NULL \(sql: start)
            ORDER BY person_id LIMIT \(limit)
            """
        ).map { try $0.get("person_id") }
    }

    /// The parent who made the household; after they left, the one who has been in it longest. It is computed from
    /// the members, so that every way of leaving passes the role on.
    static func maker(of household: ID<Household>, in tx: Transaction) throws -> PersonID? {
        try tx.row(
            """
            SELECT person_id FROM family_member WHERE household_id = \(household) AND role = 'parent'
            ORDER BY joined_at, person_id LIMIT 1
            """
        )?.get("person_id")
    }

    /// When a person joined the household that they are in.
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

    /// All children, those that can still be brought back among them.
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

    /// The deleted children of a household with the time of their deletion, those deleted last first.
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
