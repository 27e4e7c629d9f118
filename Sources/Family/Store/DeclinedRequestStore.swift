import Kernel
import Storage

/// The table `family_declined_request`: the latest declined request of each child for each chore.
enum DeclinedRequestStore {
    /// Replaces the child's earlier declined request for the chore.
    static func insert(
        _ request: ChoreRequest, reason: String?, by parent: PersonID, now: Instant, in tx: Transaction
    ) throws {
        try tx.execute(
            """
            INSERT INTO family_declined_request (child_id, chore_id, occurrence_date, reason, by_id, at)
            VALUES (
                \(request.childID), \(request.choreID), \(request.occurrence?.text), \(reason), \(parent), \(now)
            )
            ON CONFLICT (child_id, chore_id) DO UPDATE SET
                occurrence_date = excluded.occurrence_date, reason = excluded.reason, by_id = excluded.by_id,
                at = excluded.at
            """
        )
    }

    /// Returns the declined requests of children since a time.
    static func all(of children: [PersonID], since: Instant, in tx: Transaction) throws -> [DeclinedRequest] {
        guard !children.isEmpty else { return [] }
        return try tx.rows(
            """
            SELECT d.child_id, d.chore_id, d.occurrence_date, d.reason, d.at, p.name AS by_name
            FROM family_declined_request d LEFT JOIN account p ON p.id = d.by_id
            WHERE d.child_id IN \(list: children) AND d.at > \(since) ORDER BY d.child_id, d.chore_id
            """
        ).map(read)
    }

    static func delete(of child: PersonID, for chores: [ID<Chore>], in tx: Transaction) throws {
        guard !chores.isEmpty else { return }
        try tx.execute(
            "DELETE FROM family_declined_request WHERE child_id = \(child) AND chore_id IN \(list: chores)")
    }

    static func deleteAll(of child: PersonID, in tx: Transaction) throws {
        try tx.execute("DELETE FROM family_declined_request WHERE child_id = \(child)")
    }

    static func prune(declinedBefore instant: Instant, in tx: Transaction) throws {
        try tx.execute("DELETE FROM family_declined_request WHERE at <= \(instant)")
    }

    private static func read(_ row: Row) throws -> DeclinedRequest {
        DeclinedRequest(
            childID: try row.get("child_id"), choreID: try row.get("chore_id"),
            occurrence: try row.get("occurrence_date", as: String?.self).flatMap { LocalDate($0) },
            reason: try row.get("reason"), byName: try row.get("by_name"), at: try row.get("at"))
    }
}
