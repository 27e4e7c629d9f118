import Kernel
import Ledger
import Storage

/// A phantom type for the ids of bookings. A booking is a set of assignments that are created together.
enum AssignmentBatch {}

struct NewAssignment: Sendable {
    let id: ID<Assignment>
    let booking: ID<AssignmentBatch>
    let child: PersonID
    let chore: Chore
    let points: Int64
    let contract: ID<Contract>?
    let occurrence: LocalDate?
    /// The day on which the child did it, in the household's time zone.
    let doneOn: LocalDate
    /// Whether its points were given automatically, because no parent decided in time.
    let isAutomatic: Bool

    /// The transfer that posts the points. Each assignment has exactly one transfer, so they share their id.
    var transfer: ID<Transfer> { id.cast(to: Transfer.self) }
}

/// The table `family_assignment`.
enum AssignmentStore {
    /// The chore's id is NULL for a deleted chore, although the chore may be restored.
    private static let selection: SQL = """
        SELECT a.id, c.id AS chore_id, a.name, a.picture_id, a.points, a.at, a.by_id, p.name AS by_name,
            a.reversed_at, a.contract_id, a.occurrence_date, a.child_id, a.is_automatic
        FROM family_assignment a
        LEFT JOIN family_chore c ON c.id = a.chore_id AND c.deleted_at IS NULL
        LEFT JOIN account p ON p.id = a.by_id
        """

    static func insert(_ assignment: NewAssignment, by person: PersonID, now: Instant, in tx: Transaction) throws {
        try tx.execute(
            """
            INSERT INTO family_assignment (
                id, child_id, booking_id, chore_id, name, picture_id, points, at, by_id, contract_id,
                occurrence_date, done_on, is_automatic
            ) VALUES (
                \(assignment.id), \(assignment.child), \(assignment.booking), \(assignment.chore.id),
                \(assignment.chore.name), \(assignment.chore.pictureID), \(assignment.points), \(now), \(person),
                \(assignment.contract), \(assignment.occurrence?.text), \(assignment.doneOn.text),
                \(assignment.isAutomatic ? 1 : 0)
            )
            """
        )
    }

    static func find(_ id: ID<Assignment>, of child: PersonID, in tx: Transaction) throws -> Assignment? {
        try tx.row("\(sql: selection) WHERE a.id = \(id) AND a.child_id = \(child)").map(read)
    }

    /// Returns the assignments of a booking in the order in which they were created.
    static func booking(_ id: ID<AssignmentBatch>, in tx: Transaction) throws -> [Assignment] {
        try tx.rows("\(sql: selection) WHERE a.booking_id = \(id) ORDER BY a.id").map(read)
    }

    /// Returns a child's assignments, newest first.
    static func page(
        of child: PersonID, before: ID<Assignment>?, limit: Int, in tx: Transaction
    ) throws -> [Assignment] {
        try tx.rows(
            "\(sql: selection) WHERE a.child_id = \(child) \(sql: .before(before, "a.id")) ORDER BY a.id DESC LIMIT \(limit)"
        ).map(read)
    }

    /// Returns the assignments that count for an occurrence on a date or later.
    static func occurrences(
        of children: [PersonID], since date: LocalDate, in tx: Transaction
    ) throws -> [(child: PersonID, assignment: Assignment)] {
        try tx.rows(occurrencesQuery(of: children, since: date)).map { (try $0.get("child_id"), try read($0)) }
    }

    /// The query of ``occurrences(of:since:in:)``.
    static func occurrencesQuery(of children: [PersonID], since date: LocalDate) -> SQL {
        """
        \(sql: selection)
        WHERE a.child_id IN \(list: children) AND a.occurrence_date >= \(date.text)
            AND a.occurrence_date IS NOT NULL AND a.reversed_at IS NULL
        """
    }

    /// Returns the points of children for chores from an instant on, without undone ones.
    static func points(of children: [PersonID], since instant: Instant, in tx: Transaction) throws -> [PersonID: Int64]
    {
        guard !children.isEmpty else { return [:] }
        let rows = try tx.rows(pointsQuery(of: children, since: instant))
        return try Dictionary(rows.map { (try $0.get("child_id"), try $0.get("total")) }) { one, _ in one }
    }

    /// The query of ``points(of:since:in:)``. Ids sort by their time, and the index has them.
    static func pointsQuery(of children: [PersonID], since instant: Instant) -> SQL {
        """
        SELECT child_id, CAST(SUM(points) AS BIGINT) AS total FROM family_assignment
        WHERE child_id IN \(list: children) AND id >= \(ID<Assignment>(at: instant, series: 0))
            AND reversed_at IS NULL
        GROUP BY child_id
        """
    }

    /// Returns how many chores children did in a period, and the points for them, without undone ones. Children without
    /// any are missing.
    static func counts(
        of children: [PersonID], from start: Instant, until end: Instant, in tx: Transaction
    ) throws -> [PersonID: (chores: Int, points: Int64)] {
        guard !children.isEmpty else { return [:] }
        let rows = try tx.rows(
            """
            SELECT child_id, COUNT(*) AS chores, CAST(SUM(points) AS BIGINT) AS total FROM family_assignment
            WHERE child_id IN \(list: children) AND id >= \(ID<Assignment>(at: start, series: 0))
                AND id < \(ID<Assignment>(at: end, series: 0)) AND reversed_at IS NULL
            GROUP BY child_id
            """
        )
        return try rows.reduce(into: [:]) { found, row in
            found[try row.get("child_id")] = (try row.get("chores"), try row.get("total"))
        }
    }

    /// Returns the days on which children did chores, after a date, without undone ones.
    static func daysDone(
        by children: [PersonID], after date: LocalDate, in tx: Transaction
    ) throws -> [PersonID: Set<LocalDate>] {
        try tx.rows(daysDoneQuery(by: children, after: date)).reduce(into: [:]) { days, row in
            days[try row.get("child_id"), default: []].insert(try row.localDate("done_on"))
        }
    }

    /// The query of ``daysDone(by:after:in:)``.
    static func daysDoneQuery(by children: [PersonID], after date: LocalDate) -> SQL {
        """
        SELECT DISTINCT child_id, done_on FROM family_assignment
        WHERE child_id IN \(list: children) AND done_on > \(date.text) AND done_on IS NOT NULL
            AND reversed_at IS NULL
        """
    }

    /// Returns the occurrences of a date that children did before it.
    static func doneInAdvance(by children: [PersonID], of date: LocalDate, in tx: Transaction) throws -> [OccurrenceKey]
    {
        guard !children.isEmpty else { return [] }
        return try tx.rows(
            """
            SELECT child_id, chore_id, occurrence_date FROM family_assignment
            WHERE child_id IN \(list: children) AND occurrence_date = \(date.text) AND done_on < \(date.text)
                AND chore_id IS NOT NULL AND occurrence_date IS NOT NULL AND reversed_at IS NULL
            """
        ).map(OccurrenceKey.read)
    }

    /// Returns whether a child already has points for an occurrence.
    static func isDone(_ chore: ID<Chore>, on date: LocalDate, by child: PersonID, in tx: Transaction) throws -> Bool {
        try tx.row(
            """
            SELECT 1 AS found FROM family_assignment
            WHERE child_id = \(child) AND occurrence_date = \(date.text) AND chore_id = \(chore)
                AND occurrence_date IS NOT NULL AND reversed_at IS NULL
            """
        ) != nil
    }

    static func setReversed(_ id: ID<Assignment>, now: Instant, in tx: Transaction) throws {
        try tx.execute("UPDATE family_assignment SET reversed_at = \(now) WHERE id = \(id)")
    }

    static func deleteAll(of child: PersonID, in tx: Transaction) throws {
        try tx.execute("DELETE FROM family_assignment WHERE child_id = \(child)")
    }

    private static func read(_ row: Row) throws -> Assignment {
        Assignment(
            id: try row.get("id"), choreID: try row.get("chore_id"), name: try row.get("name"),
            pictureID: try row.get("picture_id"), points: try row.get("points"), at: try row.get("at"),
            byID: try row.get("by_id"), byName: try row.get("by_name"), reversedAt: try row.get("reversed_at"),
            contractID: try row.get("contract_id"),
            occurrence: try row.get("occurrence_date", as: String?.self).flatMap { LocalDate($0) },
            isAutomatic: try row.get("is_automatic", as: Int64.self) != 0
        )
    }
}
