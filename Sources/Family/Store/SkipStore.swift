import Kernel
import Recurrence
import Storage

/// The table `family_skip`: the dates on which a chore isn't due although its schedule has them.
enum SkipStore {
    static func insert(_ key: ChoreDate, in tx: Transaction) throws {
        try tx.execute(
            """
            INSERT INTO family_skip (chore_id, date) VALUES (\(key.chore), \(key.date.text))
            ON CONFLICT (chore_id, date) DO NOTHING
            """
        )
    }

    /// - Returns: whether the date was skipped.
    static func delete(_ key: ChoreDate, in tx: Transaction) throws -> Bool {
        try tx.executeCounting(
            "DELETE FROM family_skip WHERE chore_id = \(key.chore) AND date = \(key.date.text)") > 0
    }

    /// Deletes the dates that no rotation looks back at.
    static func deleteAll(of chore: ID<Chore>, before date: LocalDate, in tx: Transaction) throws {
        try tx.execute("DELETE FROM family_skip WHERE chore_id = \(chore) AND date < \(date.text)")
    }

    /// Deletes the dates of a chore whose schedule ends.
    static func deleteAll(of chore: ID<Chore>, in tx: Transaction) throws {
        try tx.execute("DELETE FROM family_skip WHERE chore_id = \(chore)")
    }

    static func dates(of chores: [ID<Chore>], in tx: Transaction) throws -> [ID<Chore>: Set<LocalDate>] {
        guard !chores.isEmpty else { return [:] }
        return try tx.rows("SELECT chore_id, date FROM family_skip WHERE chore_id IN \(list: chores)")
            .reduce(into: [:]) { dates, row in
                dates[try row.get("chore_id"), default: []].insert(try row.localDate("date"))
            }
    }
}
