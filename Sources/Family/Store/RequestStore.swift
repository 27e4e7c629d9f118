import Kernel
import Pictures
import Storage

/// The table `family_request`: children's open requests. A request is deleted when a parent decides on it.
enum RequestStore {
    private static let selection: SQL = """
        SELECT r.id, r.child_id, r.chore_id, c.name, c.picture_id, r.at, r.occurrence_date, r.automatic_at, r.photo_id
        FROM family_request r JOIN family_chore c ON c.id = r.chore_id
        """

    /// - Parameter occurrence: the date of the chore's occurrence; `nil` for none.
    /// - Returns: false if the child already has an open request for the occurrence, or for the chore without one.
    static func insert(
        _ id: ID<ChoreRequest>, child: PersonID, chore: ID<Chore>, occurrence: LocalDate?, automaticAt: Instant?,
        photo: ID<Picture>?, now: Instant, in tx: Transaction
    ) throws -> Bool {
        try tx.executeCounting(
            """
            INSERT INTO family_request (id, child_id, chore_id, at, occurrence_date, automatic_at, photo_id)
            VALUES (\(id), \(child), \(chore), \(now), \(occurrence?.text), \(automaticAt), \(photo))
            ON CONFLICT DO NOTHING
            """
        ) == 1
    }

    /// Returns a child's open requests for a chore.
    static func all(of child: PersonID, for chore: ID<Chore>, in tx: Transaction) throws -> [ChoreRequest] {
        try tx.rows("\(sql: selection) WHERE r.child_id = \(child) AND r.chore_id = \(chore) ORDER BY r.id").map(read)
    }

    /// Returns a request, even if its chore is deleted.
    static func find(_ id: ID<ChoreRequest>, of child: PersonID, in tx: Transaction) throws -> ChoreRequest? {
        try tx.row("\(sql: selection) WHERE r.id = \(id) AND r.child_id = \(child)").map(read)
    }

    /// Returns the open requests with these ids, oldest first. The same ones are left out as in ``page``.
    static func all(
        _ ids: [ID<ChoreRequest>], of household: ID<Household>, in tx: Transaction
    ) throws -> [ChoreRequest] {
        try tx.rows(
            """
            \(sql: selection) JOIN family_member m ON m.person_id = r.child_id
            WHERE r.id IN \(list: ids) AND m.household_id = \(household) AND m.deleted_at IS NULL
                AND c.deleted_at IS NULL
            ORDER BY r.id
            """
        ).map(read)
    }

    /// Returns the open requests, oldest first, without those whose child or chore is deleted.
    /// - Parameter child: `nil` for all children of the household.
    static func page(
        of child: PersonID?, household: ID<Household>, after: ID<ChoreRequest>?, limit: Int, in tx: Transaction
    ) throws -> [ChoreRequest] {
        let start: SQL = after.map { "AND r.id > \($0)" } ?? SQL()
        let whose: SQL = child.map { "AND r.child_id = \($0)" } ?? SQL()
        return try tx.rows(
            """
            \(sql: selection) JOIN family_member m ON m.person_id = r.child_id
            WHERE m.household_id = \(household) AND m.deleted_at IS NULL AND c.deleted_at IS NULL
                \(sql: whose) \(sql: start)
            ORDER BY r.id LIMIT \(limit)
            """
        ).map(read)
    }

    /// Returns the occurrences of chores for which children have open requests.
    static func occurrences(of chores: [ID<Chore>], in tx: Transaction) throws -> [OccurrenceKey] {
        try tx.rows(
            """
            SELECT child_id, chore_id, occurrence_date FROM family_request
            WHERE chore_id IN \(list: chores) AND occurrence_date IS NOT NULL
            """
        ).map(OccurrenceKey.read)
    }

    /// Returns the occurrences of a date for which children made their open requests before it.
    /// - Parameter start: the beginning of the date.
    static func reportedInAdvance(
        by children: [PersonID], of date: LocalDate, before start: Instant, in tx: Transaction
    ) throws -> [OccurrenceKey] {
        guard !children.isEmpty else { return [] }
        return try tx.rows(
            """
            SELECT child_id, chore_id, occurrence_date FROM family_request
            WHERE child_id IN \(list: children) AND occurrence_date = \(date.text) AND at < \(start)
            """
        ).map(OccurrenceKey.read)
    }

    /// Returns the requests whose points are given automatically by now, the earliest first.
    static func dueAutomatically(now: Instant, limit: Int, in tx: Transaction) throws -> [ChoreRequest] {
        try tx.rows(
            """
            \(sql: selection) JOIN family_member m ON m.person_id = r.child_id
            WHERE r.automatic_at IS NOT NULL AND r.automatic_at <= \(now) AND m.deleted_at IS NULL
                AND c.deleted_at IS NULL
            ORDER BY r.automatic_at, r.id LIMIT \(limit)
            """
        ).map(read)
    }

    /// Sets the time at which the points of a chore's open requests are given automatically; `nil` for never.
    static func setAutomatic(at instant: Instant?, of chore: ID<Chore>, in tx: Transaction) throws {
        try tx.execute("UPDATE family_request SET automatic_at = \(instant) WHERE chore_id = \(chore)")
    }

    /// Sets the time at which the points of a request are given automatically.
    static func setAutomatic(at instant: Instant, _ id: ID<ChoreRequest>, in tx: Transaction) throws {
        try tx.execute(
            "UPDATE family_request SET automatic_at = \(instant) WHERE id = \(id) AND automatic_at IS NOT NULL")
    }

    /// Returns when children made their open requests.
    static func reports(
        of children: [PersonID], in tx: Transaction
    ) throws -> [(child: PersonID, at: Instant)] {
        try tx.rows("SELECT child_id, at FROM family_request WHERE child_id IN \(list: children)")
            .map { (try $0.get("child_id"), try $0.get("at")) }
    }

    static func count(of child: PersonID, in tx: Transaction) throws -> Int {
        try tx.row("SELECT COUNT(*) AS total FROM family_request WHERE child_id = \(child)")?.get("total") ?? 0
    }

    /// Deletes a request with its photo.
    static func delete(_ request: ChoreRequest, in tx: Transaction) throws {
        try tx.execute("DELETE FROM family_request WHERE id = \(request.id)")
        if let photo = request.photoID { try FamilyPictures.removeUnused(photo, in: tx) }
    }

    /// Returns the photos of the requests for chores that are deleted.
    static func photos(ofChoresDeletedBefore instant: Instant, in tx: Transaction) throws -> [ID<Picture>] {
        try tx.rows(
            """
            SELECT r.photo_id FROM family_request r JOIN family_chore c ON c.id = r.chore_id
            WHERE c.deleted_at <= \(instant) AND r.photo_id IS NOT NULL
            """
        ).map { try $0.get("photo_id") }
    }

    static func deleteAll(of child: PersonID, in tx: Transaction) throws {
        try tx.execute("DELETE FROM family_request WHERE child_id = \(child)")
    }

    private static func read(_ row: Row) throws -> ChoreRequest {
        ChoreRequest(
            id: try row.get("id"), childID: try row.get("child_id"), choreID: try row.get("chore_id"),
            name: try row.get("name"), pictureID: try row.get("picture_id"), at: try row.get("at"),
            occurrence: try row.get("occurrence_date", as: String?.self).flatMap { LocalDate($0) },
            automaticAt: try row.get("automatic_at"), photoID: try row.get("photo_id")
        )
    }
}
