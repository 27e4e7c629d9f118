import Kernel
import Storage

/// The table `position_share`: who sees where a person is.
///
/// Each change locks the person's account first (`PositionSharingState.lock`).
enum PositionShareStore {
    private static let columns: SQL = "s.account_id, s.viewer_id, s.item_id, s.started_at, s.expires_at"

    private static func isOpen(at now: Instant) -> SQL { "(s.expires_at IS NULL OR s.expires_at > \(now))" }

    /// What a person shares now.
    static func shares(of person: PersonID, now: Instant, in tx: Transaction) throws -> [PositionShare] {
        try tx.rows(
            """
            SELECT \(sql: columns) FROM position_share s
            WHERE s.account_id = \(person) AND \(sql: isOpen(at: now)) ORDER BY s.viewer_id
            LIMIT \(Limits.positionViewers)
            """
        ).map(read)
    }

    /// What others share with a person now. Disabled accounts share nothing.
    static func shares(with viewer: PersonID, now: Instant, in tx: Transaction) throws -> [PositionShare] {
        try tx.rows(
            """
            SELECT \(sql: columns) FROM position_share s JOIN account a ON a.id = s.account_id
            WHERE s.viewer_id = \(viewer) AND \(sql: isOpen(at: now)) AND a.disabled_at IS NULL
            ORDER BY a.name, s.account_id LIMIT \(Limits.sharedPeople)
            """
        ).map(read)
    }

    static func share(
        of person: PersonID, with viewer: PersonID, now: Instant, in tx: Transaction
    ) throws -> PositionShare? {
        try tx.row(
            """
            SELECT \(sql: columns) FROM position_share s JOIN account a ON a.id = s.account_id
            WHERE s.account_id = \(person) AND s.viewer_id = \(viewer) AND \(sql: isOpen(at: now))
                AND a.disabled_at IS NULL
            """
        ).map(read)
    }

    /// All rows of a person in either role, also those whose time is over.
    static func all(about person: PersonID, in tx: Transaction) throws -> [PositionShare] {
        try tx.rows(
            """
            SELECT \(sql: columns) FROM position_share s WHERE s.account_id = \(person) OR s.viewer_id = \(person)
            ORDER BY s.account_id, s.viewer_id LIMIT \(Limits.positionViewers + Limits.sharedPeople)
            """
        ).map(read)
    }

    /// The rows of a person whose time is over.
    static func overdue(of person: PersonID, now: Instant, in tx: Transaction) throws -> [PositionShare] {
        try tx.rows(
            """
            SELECT \(sql: columns) FROM position_share s WHERE s.account_id = \(person) AND s.expires_at <= \(now)
            ORDER BY s.viewer_id
            """
        ).map(read)
    }

    /// The rows whose position is that of an item.
    static func all(from item: ID<Item>, in tx: Transaction) throws -> [PositionShare] {
        try tx.rows(
            """
            SELECT \(sql: columns) FROM position_share s WHERE s.item_id = \(item) ORDER BY s.account_id, s.viewer_id
            """
        ).map(read)
    }

    /// The people who share their position, also those whose time is over, in the order of their ids.
    static func people(after: PersonID?, limit: Int, in tx: Transaction) throws -> [PersonID] {
        let isNext: SQL = if let after { "WHERE account_id > \(after)" } else { SQL() }
        return try tx.rows(
            "SELECT DISTINCT account_id FROM position_share \(sql: isNext) ORDER BY account_id LIMIT \(limit)"
        ).map { try $0.get("account_id") }
    }

    /// The people whose account doesn't say whether they share their position, and the children who don't, but of whom
    /// a position is stored.
    static func withWrongState(now: Instant, in tx: Transaction) throws -> [PersonID] {
        let hasOpen: SQL =
            "EXISTS (SELECT 1 FROM position_share s WHERE s.account_id = a.id AND \(sql: isOpen(at: now)))"
        return try tx.rows(
            """
            SELECT a.id FROM account a WHERE a.position_shared_until > \(now) AND NOT \(sql: hasOpen)
            UNION SELECT a.id FROM phone_position p JOIN account a ON a.id = p.account_id
                WHERE a.role = 'child' AND NOT \(sql: hasOpen)
            UNION SELECT a.id FROM position_share s JOIN account a ON a.id = s.account_id
                WHERE \(sql: isOpen(at: now)) AND COALESCE(a.position_shared_until, 0) <= \(now)
            LIMIT \(Limits.housekeepingBatch)
            """
        ).map { try $0.get("id") }
    }

    /// The rows whose time is over.
    static func due(now: Instant, in tx: Transaction) throws -> [PositionShare] {
        try tx.rows(
            """
            SELECT \(sql: columns) FROM position_share s WHERE s.expires_at <= \(now)
            ORDER BY s.expires_at LIMIT \(Limits.housekeepingBatch)
            """
        ).map(read)
    }

    /// Locks the rows of a person, so that none of them ends before the transaction does.
    static func lock(of person: PersonID, now: Instant, in tx: Transaction) throws -> [PositionShare] {
        try tx.rows(
            """
            SELECT \(sql: columns) FROM position_share s
            WHERE s.account_id = \(person) AND \(sql: isOpen(at: now)) ORDER BY s.viewer_id \(sql: tx.forChange)
            """
        ).map(read)
    }

    /// The people who see a position of a person's phones, or of the person's item.
    static func viewers(
        of person: PersonID, item: ID<Item>?, now: Instant, in tx: Transaction
    ) throws -> [PersonID] {
        try shares(of: person, now: now, in: tx).filter { $0.item == item }.map(\.viewer)
    }

    static func upsert(_ share: PositionShare, in tx: Transaction) throws {
        try tx.execute(
            """
            INSERT INTO position_share (account_id, viewer_id, item_id, started_at, expires_at)
            VALUES (\(share.person), \(share.viewer), \(share.item), \(share.startedAt), \(share.expiresAt))
            ON CONFLICT (account_id, viewer_id) DO UPDATE SET item_id = excluded.item_id,
                started_at = excluded.started_at, expires_at = excluded.expires_at
            """
        )
    }

    /// Deletes a row with the rules that reference it.
    /// - Returns: Whether it existed.
    static func delete(_ share: PositionShare, in tx: Transaction) throws -> Bool {
        try tx.executeCounting(
            "DELETE FROM position_share WHERE account_id = \(share.person) AND viewer_id = \(share.viewer)") == 1
    }

    /// Stores whether an item shows where a person is.
    static func setFlag(of item: ID<Item>, in tx: Transaction) throws {
        let shows = try tx.row("SELECT 1 AS one FROM position_share WHERE item_id = \(item) LIMIT 1") != nil
        try tx.execute("UPDATE whereabouts SET shows_person = \(shows) WHERE item_id = \(item)")
    }

    /// The present position: the newest since the start, if it is recent.
    static func position(of share: PositionShare, now: Instant, in tx: Transaction) throws -> SharedPosition? {
        let since = max(share.startedAt, now.adding(seconds: -Limits.sharedPositionSeconds))
        let row =
            if let item = share.item {
                try tx.row(
                    """
                    SELECT at, latitude, longitude, accuracy FROM whereabouts WHERE item_id = \(item) AND at >= \(since)
                    """)
            } else {
                try tx.row(
                    """
                    SELECT at, latitude, longitude, accuracy FROM phone_position
                    WHERE account_id = \(share.person) AND at >= \(since) ORDER BY at DESC LIMIT 1
                    """)
            }
        return try row.map {
            SharedPosition(
                at: try $0.get("at"), coordinate: try $0.coordinate(), accuracyMetres: try $0.get("accuracy"))
        }
    }

    private static func read(_ row: Row) throws -> PositionShare {
        PositionShare(
            person: try row.get("account_id"), viewer: try row.get("viewer_id"), item: try row.get("item_id"),
            startedAt: try row.get("started_at"), expiresAt: try row.get("expires_at"))
    }
}
