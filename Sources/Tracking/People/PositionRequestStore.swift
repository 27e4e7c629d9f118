import Kernel
import Storage

/// The table `position_request`: who asks a person to share their position. An answered request stays until the same
/// person may ask again.
enum PositionRequestStore {
    static func open(of person: PersonID, in tx: Transaction) throws -> [PositionRequest] {
        try tx.rows(
            """
            SELECT r.asker_id, a.name, r.asked_at FROM position_request r JOIN account a ON a.id = r.asker_id
            WHERE r.account_id = \(person) AND r.is_open = 1 ORDER BY r.asked_at, r.asker_id
            LIMIT \(Limits.positionViewers)
            """
        ).map {
            PositionRequest(asker: try $0.get("asker_id"), name: try $0.get("name"), askedAt: try $0.get("asked_at"))
        }
    }

    /// When a person last asked each other person.
    static func asked(by asker: PersonID, since: Instant, in tx: Transaction) throws -> [PersonID: Instant] {
        try tx.rows(
            "SELECT account_id, asked_at FROM position_request WHERE asker_id = \(asker) AND asked_at > \(since)"
        ).reduce(into: [:]) { asked, row in
            asked[try row.get("account_id", as: PersonID.self)] = try row.get("asked_at", as: Instant.self)
        }
    }

    /// Stores a request.
    /// - Returns: False when the person was asked recently.
    static func insert(
        from asker: PersonID, to person: PersonID, now: Instant, in tx: Transaction
    ) throws -> Bool {
        let before = now.adding(seconds: -Limits.positionRequestSeconds)
        return try tx.executeCounting(
            """
            INSERT INTO position_request (account_id, asker_id, asked_at, is_open)
            VALUES (\(person), \(asker), \(now), 1)
            ON CONFLICT (account_id, asker_id) DO UPDATE SET asked_at = excluded.asked_at, is_open = 1
            WHERE position_request.asked_at <= \(before)
            """) == 1
    }

    /// Marks a request as answered.
    /// - Returns: Whether it was open.
    static func close(from asker: PersonID, to person: PersonID, in tx: Transaction) throws -> Bool {
        try tx.executeCounting(
            """
            UPDATE position_request SET is_open = 0
            WHERE account_id = \(person) AND asker_id = \(asker) AND is_open = 1
            """) == 1
    }

    /// The requests between a person and others, for the export.
    static func all(
        of person: PersonID, in tx: Transaction
    ) throws -> [(person: PersonID, asker: PersonID, askedAt: Instant, isOpen: Bool)] {
        try tx.rows(
            """
            SELECT account_id, asker_id, asked_at, is_open FROM position_request
            WHERE account_id = \(person) OR asker_id = \(person) ORDER BY asked_at, account_id, asker_id
            LIMIT \(Limits.positionViewers + Limits.sharedPeople)
            """
        ).map {
            (
                person: try $0.get("account_id"), asker: try $0.get("asker_id"), askedAt: try $0.get("asked_at"),
                isOpen: try $0.get("is_open")
            )
        }
    }

    /// Deletes the requests between a person and others.
    /// - Returns: The deleted ones.
    static func deleteAll(
        of person: PersonID, in tx: Transaction
    ) throws -> [(person: PersonID, asker: PersonID)] {
        try tx.rows(
            """
            DELETE FROM position_request WHERE account_id = \(person) OR asker_id = \(person)
            RETURNING account_id, asker_id
            """
        ).map { (person: try $0.get("account_id"), asker: try $0.get("asker_id")) }
    }

    static func prune(before: Instant, in tx: Transaction) throws {
        try tx.executeAndWait("DELETE FROM position_request WHERE asked_at <= \(before)")
    }
}
