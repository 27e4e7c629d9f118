import Kernel
import Storage

/// The table `family_pause`.
enum PauseStore {
    static func insert(
        _ id: ID<Pause>, _ draft: PauseDraft, of household: ID<Household>, now: Instant, in tx: Transaction
    ) throws {
        try tx.execute(
            """
            INSERT INTO family_pause (id, household_id, child_id, starts_on, ends_on, created_at)
            VALUES (
                \(id), \(household), \(draft.childID), \(draft.startsOn.text), \((draft.endsOn ?? .last).text), \(now)
            )
            """
        )
    }

    /// Returns the pauses of a household that end on a date or later, by their first day, without those of deleted
    /// children.
    static func pauses(of household: ID<Household>, since date: LocalDate, in tx: Transaction) throws -> [Pause] {
        try tx.rows(pausesQuery(of: household, since: date)).map(read)
    }

    /// The query of ``pauses(of:since:in:)``.
    static func pausesQuery(of household: ID<Household>, since date: LocalDate) -> SQL {
        """
        SELECT p.id, p.child_id, p.starts_on, p.ends_on FROM family_pause p
        LEFT JOIN family_member m ON m.person_id = p.child_id
        WHERE p.household_id = \(household) AND p.ends_on >= \(date.text) AND m.deleted_at IS NULL
        ORDER BY p.starts_on, p.id
        """
    }

    static func find(_ id: ID<Pause>, of household: ID<Household>, in tx: Transaction) throws -> Pause? {
        try tx.row(
            """
            SELECT id, child_id, starts_on, ends_on FROM family_pause
            WHERE id = \(id) AND household_id = \(household)
            """
        ).map(read)
    }

    /// - Parameter date: the last day.
    static func end(_ id: ID<Pause>, on date: LocalDate, in tx: Transaction) throws {
        try tx.execute("UPDATE family_pause SET ends_on = \(date.text) WHERE id = \(id)")
    }

    static func delete(_ id: ID<Pause>, in tx: Transaction) throws {
        try tx.execute("DELETE FROM family_pause WHERE id = \(id)")
    }

    /// Deletes the pauses of a household that ended before a date.
    static func deleteAll(of household: ID<Household>, endedBefore date: LocalDate, in tx: Transaction) throws {
        try tx.execute("DELETE FROM family_pause WHERE household_id = \(household) AND ends_on < \(date.text)")
    }

    static func deleteAll(of child: PersonID, in tx: Transaction) throws {
        try tx.execute("DELETE FROM family_pause WHERE child_id = \(child)")
    }

    static func deleteAll(of household: ID<Household>, in tx: Transaction) throws {
        try tx.execute("DELETE FROM family_pause WHERE household_id = \(household)")
    }

    private static func read(_ row: Row) throws -> Pause {
        let end = try row.localDate("ends_on")
        return Pause(
            id: try row.get("id"), childID: try row.get("child_id"), startsOn: try row.localDate("starts_on"),
            endsOn: end == .last ? nil : end)
    }
}
