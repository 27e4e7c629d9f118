import Kernel
import Storage

/// A row of `family_removal`: the announced removal of a parent.
struct StoredRemoval: Sendable, Hashable {
    let parent: PersonID
    let household: ID<Household>
    let announcedBy: PersonID
    let announcedAt: Instant
    let effectiveAt: Instant
    let refusedAt: Instant?
}

/// A withdrawn removal. The same person can't announce it again for ``Limits/removalRepeatSeconds``.
struct WithdrawnRemoval: Sendable, Hashable {
    let parent: PersonID
    let announcedBy: PersonID
    let withdrawnAt: Instant
}

/// The tables `family_removal` and `family_withdrawn_removal`. The first has the announced removals, and the refused
/// ones until the time at which they would have taken effect. The second has the removals withdrawn within
/// ``Limits/removalRepeatSeconds``.
enum RemovalStore {
    private static let columns: SQL = "person_id, household_id, announced_by, announced_at, effective_at, refused_at"

    static func insert(_ removal: StoredRemoval, in tx: Transaction) throws {
        try tx.execute(
            """
            INSERT INTO family_removal (person_id, household_id, announced_by, announced_at, effective_at)
            VALUES (\(removal.parent), \(removal.household), \(removal.announcedBy), \(removal.announcedAt),
                \(removal.effectiveAt))
            """
        )
    }

    static func find(_ parent: PersonID, in tx: Transaction) throws -> StoredRemoval? {
        try tx.row("SELECT \(sql: columns) FROM family_removal WHERE person_id = \(parent)").map(read)
    }

    static func all(of household: ID<Household>, in tx: Transaction) throws -> [StoredRemoval] {
        try tx.rows("SELECT \(sql: columns) FROM family_removal WHERE household_id = \(household)").map(read)
    }

    /// Returns the parents whose period of notice is over, including those who refused their removal.
    static func due(now: Instant, limit: Int, in tx: Transaction) throws -> [PersonID] {
        try tx.rows(
            "SELECT person_id FROM family_removal WHERE effective_at <= \(now) ORDER BY effective_at LIMIT \(limit)"
        ).map { try $0.get("person_id") }
    }

    static func setRefused(_ parent: PersonID, now: Instant, in tx: Transaction) throws {
        try tx.execute("UPDATE family_removal SET refused_at = \(now) WHERE person_id = \(parent)")
    }

    static func delete(_ parent: PersonID, in tx: Transaction) throws {
        try tx.execute("DELETE FROM family_removal WHERE person_id = \(parent)")
    }

    /// Deletes a removal and records that it was withdrawn.
    static func withdraw(_ removal: StoredRemoval, now: Instant, in tx: Transaction) throws {
        try delete(removal.parent, in: tx)
        try tx.execute(
            """
            INSERT INTO family_withdrawn_removal (announced_by, person_id, household_id, withdrawn_at)
            VALUES (\(removal.announcedBy), \(removal.parent), \(removal.household), \(now))
            ON CONFLICT (announced_by, person_id) DO UPDATE SET
                household_id = excluded.household_id, withdrawn_at = excluded.withdrawn_at
            """
        )
    }

    /// Returns the household's removals withdrawn within the last ``Limits/removalRepeatSeconds``, oldest first.
    static func withdrawn(
        of household: ID<Household>, now: Instant, in tx: Transaction
    ) throws -> [WithdrawnRemoval] {
        let since = now.adding(seconds: -Limits.removalRepeatSeconds)
        return try tx.rows(
            """
            SELECT announced_by, person_id, withdrawn_at FROM family_withdrawn_removal
            WHERE household_id = \(household) AND withdrawn_at > \(since)
            ORDER BY withdrawn_at, announced_by, person_id
            """
        ).map { row in
            WithdrawnRemoval(
                parent: try row.get("person_id"), announcedBy: try row.get("announced_by"),
                withdrawnAt: try row.get("withdrawn_at"))
        }
    }

    /// Deletes the withdrawn removals that can be announced again.
    static func prune(now: Instant, in tx: Transaction) throws {
        let before = now.adding(seconds: -Limits.removalRepeatSeconds)
        try tx.executeAndWait("DELETE FROM family_withdrawn_removal WHERE withdrawn_at <= \(before)")
    }

    /// Deletes the removals that a parent announced, and the removals of that parent.
    static func deleteAll(of person: PersonID, in tx: Transaction) throws {
        try tx.execute("DELETE FROM family_removal WHERE person_id = \(person) OR announced_by = \(person)")
        try tx.execute("DELETE FROM family_withdrawn_removal WHERE person_id = \(person) OR announced_by = \(person)")
    }

    private static func read(_ row: Row) throws -> StoredRemoval {
        StoredRemoval(
            parent: try row.get("person_id"), household: try row.get("household_id"),
            announcedBy: try row.get("announced_by"), announcedAt: try row.get("announced_at"),
            effectiveAt: try row.get("effective_at"), refusedAt: try row.get("refused_at")
        )
    }
}
