import Kernel
import Storage

/// A row of `family_swap`.
struct StoredSwap: Sendable, Hashable {
    let id: ID<TurnSwap>
    /// The child that asks, and its turn.
    let child: PersonID
    let offered: ChoreDate
    let other: PersonID
    let wanted: ChoreDate
    let isAccepted: Bool
}

/// The table `family_swap`: swaps that aren't done yet.
enum SwapStore {
    private static let selection: SQL = """
        SELECT s.id, s.child_id, s.chore_id, s.occurrence_date, s.other_child_id, s.other_chore_id,
            s.other_occurrence_date, s.accepted_at
        FROM family_swap s
        """

    /// - Returns: false if the child asks for a swap of the turn already.
    static func insert(
        _ swap: StoredSwap, of household: ID<Household>, now: Instant, in tx: Transaction
    ) throws -> Bool {
        try tx.executeCounting(
            """
            INSERT INTO family_swap (
                id, household_id, child_id, chore_id, occurrence_date, other_child_id, other_chore_id,
                other_occurrence_date, created_at
            ) VALUES (
                \(swap.id), \(household), \(swap.child), \(swap.offered.chore), \(swap.offered.date.text),
                \(swap.other), \(swap.wanted.chore), \(swap.wanted.date.text), \(now)
            ) ON CONFLICT DO NOTHING
            """
        ) == 1
    }

    static func find(_ id: ID<TurnSwap>, of household: ID<Household>, in tx: Transaction) throws -> StoredSwap? {
        try tx.row("\(sql: selection) WHERE s.id = \(id) AND s.household_id = \(household)").map(read)
    }

    /// Returns the open swaps of a household from a date on, oldest first.
    /// - Parameter child: one of the two children; `nil` for all.
    static func all(
        of household: ID<Household>, child: PersonID?, since date: LocalDate, in tx: Transaction
    ) throws -> [StoredSwap] {
        let whose: SQL = child.map { "AND (s.child_id = \($0) OR s.other_child_id = \($0))" } ?? SQL()
        return try tx.rows(
            """
            \(sql: selection)
            WHERE s.household_id = \(household) AND s.occurrence_date >= \(date.text)
                AND s.other_occurrence_date >= \(date.text) \(sql: whose)
            ORDER BY s.id
            """
        ).map(read)
    }

    static func setAccepted(_ id: ID<TurnSwap>, now: Instant, in tx: Transaction) throws {
        try tx.execute("UPDATE family_swap SET accepted_at = \(now) WHERE id = \(id)")
    }

    static func delete(_ id: ID<TurnSwap>, in tx: Transaction) throws {
        try tx.execute("DELETE FROM family_swap WHERE id = \(id)")
    }

    /// Deletes the swaps of a household whose turns are over.
    static func deleteAll(of household: ID<Household>, before date: LocalDate, in tx: Transaction) throws {
        try tx.execute(
            """
            DELETE FROM family_swap WHERE household_id = \(household)
                AND (occurrence_date < \(date.text) OR other_occurrence_date < \(date.text))
            """
        )
    }

    static func deleteAll(of child: PersonID, in tx: Transaction) throws {
        try tx.execute("DELETE FROM family_swap WHERE child_id = \(child) OR other_child_id = \(child)")
    }

    private static func read(_ row: Row) throws -> StoredSwap {
        StoredSwap(
            id: try row.get("id"), child: try row.get("child_id"),
            offered: ChoreDate(chore: try row.get("chore_id"), date: try row.localDate("occurrence_date")),
            other: try row.get("other_child_id"),
            wanted: ChoreDate(chore: try row.get("other_chore_id"), date: try row.localDate("other_occurrence_date")),
            isAccepted: try row.get("accepted_at", as: Instant?.self) != nil)
    }
}
