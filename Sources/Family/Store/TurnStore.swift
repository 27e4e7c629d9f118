import Kernel
import Storage

/// The table `family_turn`: which child does an occurrence that one child does. A row of a chore with a rotation is
/// stored when the occurrence is first needed by a change, and before what decides about it changes.
enum TurnStore {
    private static let columns: SQL = "chore_id, occurrence_date, child_id, rotation_child_id, starts_round"

    /// Stores turns. An occurrence that has one already keeps it.
    static func insert(_ turns: [Turn], now: Instant, in tx: Transaction) throws {
        for turn in turns {
            try tx.execute(
                """
                INSERT INTO family_turn (
                    chore_id, occurrence_date, child_id, rotation_child_id, starts_round, created_at
                ) VALUES (
                    \(turn.choreID), \(turn.date.text), \(turn.childID), \(turn.rotationChildID),
                    \(turn.startsRound), \(now)
                )
                ON CONFLICT DO NOTHING
                """
            )
        }
    }

    /// Stores a turn in place of another.
    static func replace(_ turn: Turn, now: Instant, in tx: Transaction) throws {
        try delete(turn.key, in: tx)
        try insert([turn], now: now, in: tx)
    }

    static func delete(_ key: ChoreDate, in tx: Transaction) throws {
        try tx.execute(
            "DELETE FROM family_turn WHERE chore_id = \(key.chore) AND occurrence_date = \(key.date.text)")
    }

    /// Returns the turns on a date or later.
    static func turns(of chores: [ID<Chore>], since date: LocalDate, in tx: Transaction) throws -> [Turn] {
        guard !chores.isEmpty else { return [] }
        return try tx.rows(turnsQuery(of: chores, since: date)).map(read)
    }

    /// The query of ``turns(of:since:in:)``.
    static func turnsQuery(of chores: [ID<Chore>], since date: LocalDate) -> SQL {
        """
        SELECT \(sql: columns) FROM family_turn
        WHERE chore_id IN \(list: chores) AND occurrence_date >= \(date.text)
        """
    }

    /// Returns the last turns of a chore's rotation before a date, the last one first.
    static func last(
        of chore: ID<Chore>, before date: LocalDate, limit: Int, in tx: Transaction
    ) throws -> [Turn] {
        try tx.rows(
            """
            SELECT \(sql: columns) FROM family_turn
            WHERE chore_id = \(chore) AND occurrence_date < \(date.text) AND rotation_child_id IS NOT NULL
            ORDER BY occurrence_date DESC LIMIT \(limit)
            """
        ).map(read)
    }

    /// Deletes the turns of a chore before a date.
    static func deleteAll(of chore: ID<Chore>, before date: LocalDate, in tx: Transaction) throws {
        try tx.execute("DELETE FROM family_turn WHERE chore_id = \(chore) AND occurrence_date < \(date.text)")
    }

    /// Deletes the turns of a child. The turns that another child does for it stay with that child.
    static func deleteAll(of child: PersonID, in tx: Transaction) throws {
        try tx.execute("DELETE FROM family_turn WHERE child_id = \(child)")
        try tx.execute("UPDATE family_turn SET rotation_child_id = child_id WHERE rotation_child_id = \(child)")
    }

    private static func read(_ row: Row) throws -> Turn {
        Turn(
            choreID: try row.get("chore_id"), date: try row.localDate("occurrence_date"),
            childID: try row.get("child_id"), rotationChildID: try row.get("rotation_child_id"),
            startsRound: try row.get("starts_round", as: Int64.self) != 0)
    }
}
