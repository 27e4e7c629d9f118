import Kernel
import Storage

/// The table `carrepsa_block`.
enum BlockStore {
    private static let either = FixedSQL(
        """
        SELECT 1 AS found FROM carrepsa_block
        WHERE (person_id = ? AND blocked_id = ?) OR (person_id = ? AND blocked_id = ?) LIMIT 1
        """
    )

    /// Whether one of the two blocked the other.
    static func isEither(_ one: PersonID, _ other: PersonID, in tx: Transaction) throws -> Bool {
        try tx.row(either, values(one, other)) != nil
    }

    /// Makes the transaction fail with `error`, perhaps later, if one of the two blocked the other.
    static func check(_ one: PersonID, _ other: PersonID, error: AppError, in tx: Transaction) throws {
        try tx.rowsLater(either, values(one, other)) { rows in
            if !rows.isEmpty { throw error }
        }
    }

    private static func values(_ one: PersonID, _ other: PersonID) -> [SQLValue] {
        [one.sqlValue, other.sqlValue, other.sqlValue, one.sqlValue]
    }

    static func contains(_ blocked: PersonID, of person: PersonID, in tx: Transaction) throws -> Bool {
        try tx.row(
            "SELECT 1 AS found FROM carrepsa_block WHERE person_id = \(person) AND blocked_id = \(blocked)"
        ) != nil
    }

    static func count(of person: PersonID, in tx: Transaction) throws -> Int {
        try tx.row("SELECT COUNT(*) AS n FROM carrepsa_block WHERE person_id = \(person)")?.get("n") ?? 0
    }

    /// Returns the blocked people by name.
    static func all(of person: PersonID, in tx: Transaction) throws -> [BlockedPerson] {
        try tx.rows(
            """
            SELECT b.blocked_id, a.name, b.created_at FROM carrepsa_block b JOIN account a ON a.id = b.blocked_id
            WHERE b.person_id = \(person) ORDER BY a.name, b.blocked_id LIMIT \(Limits.blockedPeople)
            """
        ).map {
            BlockedPerson(
                id: try $0.get("blocked_id"), name: try $0.get("name"), blockedAt: try $0.get("created_at"))
        }
    }

    static func insert(_ blocked: PersonID, of person: PersonID, now: Instant, in tx: Transaction) throws {
        try tx.execute(
            """
            INSERT INTO carrepsa_block (person_id, blocked_id, created_at) VALUES (\(person), \(blocked), \(now))
            ON CONFLICT (person_id, blocked_id) DO NOTHING
            """
        )
    }

    /// - Returns: `false` if the person wasn't blocked.
    static func delete(_ blocked: PersonID, of person: PersonID, in tx: Transaction) throws -> Bool {
        try tx.executeCounting(
            "DELETE FROM carrepsa_block WHERE person_id = \(person) AND blocked_id = \(blocked)") > 0
    }
}
