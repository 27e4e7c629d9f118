import Accounts
import Kernel
import Storage

/// The table `phone_position`: the last position of each of an account's phones.
enum PositionStore {
    /// A phone is a session or a source.
    static let phonesPerAccount = Limits.sourcesPerAccount + Limits.sessionsPerAccount

    enum Phone {
        case session(ID<Session>)
        case source(ID<Source>)
    }

    /// Stores a phone's position unless a later one is stored.
    /// - Returns: The new version, and whether the owner shares the positions of their phones; `nil` when nothing
    ///   changed.
    static func report(
        _ report: Report, at: Instant, of phone: Phone, owner: PersonID, now: Instant, in tx: Transaction
    ) throws -> (version: Int64, isShared: Bool)? {
        var sessionID: ID<Session>?
        var sourceID: ID<Source>?
        let id: String
        switch phone {
        case .session(let session): (sessionID, id) = (session, session.description)
        case .source(let source): (sourceID, id) = (source, source.description)
        }
        let place = report.coordinate
        return try tx.row(
            """
            INSERT INTO phone_position (
                id, account_id, session_id, source_id, latitude, longitude, accuracy, at, received_at
            ) VALUES (
                \(id), \(owner), \(sessionID), \(sourceID), \(place.latitude), \(place.longitude),
                \(report.accuracyMetres), \(at), \(now)
            ) ON CONFLICT (id) DO UPDATE SET latitude = excluded.latitude, longitude = excluded.longitude,
                accuracy = excluded.accuracy, at = excluded.at, received_at = excluded.received_at,
                version = phone_position.version + 1
            WHERE phone_position.at < excluded.at
            RETURNING version, EXISTS (
                SELECT 1 FROM position_share WHERE account_id = \(owner) AND item_id IS NULL
            ) AS is_shared
            """
        ).map { (version: try $0.get("version"), isShared: try $0.get("is_shared")) }
    }

    /// The position from which the requesting session measures.
    static func phone(for actor: Actor, now: Instant, in tx: Transaction) throws -> PhoneFix? {
        var own = try tx.row(
            "SELECT at, latitude, longitude FROM phone_position WHERE id = \(actor.session.description)"
        ).map(read)
        own?.origin = .thisDevice
        if let own, let position = Separation.phone(own: own, freshest: nil, now: now) { return position }
        let since = now.adding(seconds: -Separation.anyPositionSeconds)
        let freshest = try tx.row(
            """
            \(sql: selectNamed) WHERE p.account_id = \(actor.person) AND p.at >= \(since) ORDER BY p.at DESC LIMIT 1
            """
        ).map { row in
            var fix = try read(row)
            let id: String = try row.get("id")
            fix.origin = try id == actor.session.description ? .thisDevice : origin(row)
            return fix
        }
        return Separation.phone(own: own, freshest: freshest, now: now)
    }

    /// The recent positions of a person's phones with their names, as an alert explains them.
    static func namedPhones(
        of person: PersonID, now: Instant, in tx: Transaction
    ) throws -> [(sample: PositionSample, origin: DistanceOrigin?)] {
        let since = now.adding(seconds: -Limits.alertPositionSeconds)
        return try tx.rows(
            """
            \(sql: selectNamed) WHERE p.account_id = \(person) AND p.at > \(since) ORDER BY p.at DESC
            LIMIT \(phonesPerAccount)
            """
        ).map { row in
            let sample = PositionSample(
                at: try row.get("at"), coordinate: try row.coordinate(), accuracyMetres: try row.get("accuracy"))
            return (sample, try origin(row))
        }
    }

    private static let selectNamed: SQL = """
        SELECT p.id, p.at, p.latitude, p.longitude, p.accuracy, s.name AS session_name, x.kind AS source_kind
        FROM phone_position p
        LEFT JOIN session s ON s.id = p.session_id
        LEFT JOIN source x ON x.id = p.source_id
        """

    private static func origin(_ row: Row) throws -> DistanceOrigin? {
        if let kind: SourceKind = try row.get("source_kind") { return .source(kind) }
        let name: String? = try row.get("session_name")
        return name.map { .device($0) }
    }

    /// The positions of an account's phones since an instant.
    static func positions(of owner: PersonID, since: Instant, in tx: Transaction) throws -> [PhoneFix] {
        try tx.rows(
            """
            SELECT at, latitude, longitude FROM phone_position
            WHERE account_id = \(owner) AND at >= \(since) ORDER BY at DESC
            LIMIT \(phonesPerAccount)
            """
        ).map(read)
    }

    static func deleteAll(of owner: PersonID, in tx: Transaction) throws {
        try tx.execute("DELETE FROM phone_position WHERE account_id = \(owner)")
    }

    /// Deletes the positions of a child that doesn't share them.
    static func deleteAll(ofChild person: PersonID, in tx: Transaction) throws {
        try tx.execute(
            """
            DELETE FROM phone_position WHERE account_id = \(person)
                AND EXISTS (SELECT 1 FROM account WHERE id = \(person) AND role = 'child')
            """
        )
    }

    private static func read(_ row: Row) throws -> PhoneFix {
        PhoneFix(at: try row.get("at"), coordinate: try row.coordinate())
    }
}
