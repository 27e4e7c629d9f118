import Kernel
import Storage

/// The announced removal of a parent as its row has it.
struct StoredRemoval: Sendable, Hashable {
    let parent: PersonID
    let household: ID<Household>
    let announcedBy: PersonID
    let announcedAt: Instant
    let effectiveAt: Instant
    let refusedAt: Instant?
}

/// A withdrawn removal: for a while, the same parent can't announce it again.
struct WithdrawnRemoval: Sendable, Hashable {
    let parent: PersonID
    let announcedBy: PersonID
    let withdrawnAt: Instant
}

/// The table `family_removal`: announced removals of parents, and those that the parent refused until their time is
/// over. The table `family_withdrawn_removal`: removals withdrawn a short time ago.
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

    /// The parents whose period of notice is over, refused removals included.
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

    /// The household's withdrawn removals of the last ``Limits/removalRepeatSeconds``, the oldest first.
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

    /// Deletes withdrawn removals that can be announced again.
    static func prune(now: Instant, in tx: Transaction) throws {
        let before = now.adding(seconds: -Limits.removalRepeatSeconds)
        try tx.execute("DELETE FROM family_withdrawn_removal WHERE withdrawn_at <= \(before)")
    }

    /// Deletes the removals that a leaving parent announced, and those of that parent.
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
