import Kernel
import Storage

/// The tables `live_link` and `live_viewer`.
enum LiveLinkStore {
    private static let columns: SQL = """
        l.id, l.account_id, l.item_id, l.shows_name, l.until_met, l.created_at, l.expires_at, l.ended_at, l.ending,
        l.version
        """

    // MARK: Links

    /// A person's links, newest first.
    static func page(
        of owner: PersonID, before: ID<LiveLink>?, limit: Int, in tx: Transaction
    ) throws -> [LiveLink] {
        let older: SQL = before.map { "AND l.id < \($0)" } ?? SQL()
        return try tx.rows(
            """
            SELECT \(sql: columns) FROM live_link l WHERE l.account_id = \(owner) \(sql: older)
            ORDER BY l.id DESC LIMIT \(limit)
            """
        ).map(read)
    }

    static func one(_ id: ID<LiveLink>, of owner: PersonID, in tx: Transaction) throws -> LiveLink? {
        try tx.row("SELECT \(sql: columns) FROM live_link l WHERE l.id = \(id) AND l.account_id = \(owner)").map(read)
    }

    /// Returns the link and locks its row until the transaction ends.
    /// - Throws: `AppError.notFound`.
    static func lock(_ id: ID<LiveLink>, in tx: Transaction) throws -> LiveLink {
        let row = try tx.row(
            "SELECT \(sql: columns) FROM live_link l WHERE l.id = \(id) \(sql: tx.forUpdate)")
        guard let row else { throw AppError.notFound }
        return try read(row)
    }

    static func sealedSecret(of id: ID<LiveLink>, in tx: Transaction) throws -> [UInt8]? {
        try tx.row("SELECT secret FROM live_link WHERE id = \(id)")?.get("secret")
    }

    /// The open link of a secret. A link of an account that an administrator disabled isn't open.
    static func open(ofHash hash: [UInt8], now: Instant, in tx: Transaction) throws -> LiveLink? {
        try open("l.secret_hash = \(hash)", now: now, in: tx)
    }

    static func open(_ id: ID<LiveLink>, now: Instant, in tx: Transaction) throws -> LiveLink? {
        try open("l.id = \(id)", now: now, in: tx)
    }

    private static func open(_ condition: SQL, now: Instant, in tx: Transaction) throws -> LiveLink? {
        let row = try tx.row(
            """
            SELECT \(sql: columns) FROM live_link l JOIN account a ON a.id = l.account_id
            WHERE \(sql: condition) AND \(sql: isOpen(now))
            """
        )
        guard let link = try row.map(read) else { return nil }
        // A person who doesn't manage the item any more can't share it.
        if let item = link.item, try !ItemStore.has(.manage, link.owner, to: item, in: tx) { return nil }
        return link
    }

    /// The condition for an open link `l` of an account `a`.
    private static func isOpen(_ now: Instant) -> SQL {
        "l.ended_at IS NULL AND l.expires_at > \(now) AND a.disabled_at IS NULL"
    }

    static func openCount(of owner: PersonID, now: Instant, in tx: Transaction) throws -> Int {
        try tx.row(
            """
            SELECT COUNT(*) AS total FROM live_link
            WHERE account_id = \(owner) AND ended_at IS NULL AND expires_at > \(now)
            """
        )?.get("total") ?? 0
    }

    static func insert(_ link: LiveLink, hash: [UInt8], sealed: [UInt8], in tx: Transaction) throws {
        try tx.execute(
            """
            INSERT INTO live_link (
                id, account_id, item_id, secret_hash, secret, shows_name, until_met, created_at, expires_at, version
            ) VALUES (
                \(link.id), \(link.owner), \(link.item), \(hash), \(sealed), \(link.showsName), \(link.untilMet),
                \(link.createdAt), \(link.expiresAt), \(link.version)
            )
            """
        )
    }

    static func end(_ id: ID<LiveLink>, as ending: LiveLink.State, now: Instant, in tx: Transaction) throws {
        try tx.execute(
            """
            UPDATE live_link SET ended_at = \(now), ending = \(ending.rawValue), version = version + 1
            WHERE id = \(id)
            """
        )
    }

    /// The open links of a person: to an item's position, or all.
    static func open(
        of owner: PersonID, to item: ID<Item>? = nil, now: Instant, in tx: Transaction
    ) throws -> [LiveLink] {
        let toItem: SQL = item.map { "AND l.item_id = \($0)" } ?? SQL()
        return try tx.rows(
            """
            SELECT \(sql: columns) FROM live_link l
            WHERE l.account_id = \(owner) \(sql: toItem) AND l.ended_at IS NULL AND l.expires_at > \(now)
            ORDER BY l.id LIMIT \(Limits.liveLinksPerAccount)
            """
        ).map(read)
    }

    /// The open links to an item's position, with the names of their owners.
    static func open(to item: ID<Item>, now: Instant, in tx: Transaction) throws -> [ItemLiveLink] {
        try tx.rows(
            """
            SELECT \(sql: columns), a.name AS owner_name FROM live_link l JOIN account a ON a.id = l.account_id
            WHERE l.item_id = \(item) AND \(sql: isOpen(now))
            ORDER BY l.id LIMIT \(Limits.liveLinksPerAccount * (Limits.peoplePerItem + 1))
            """
        ).map { ItemLiveLink(link: try read($0), ownerName: try $0.get("owner_name")) }
    }

    static func prune(before: Instant, viewersBefore: Instant, in tx: Transaction) throws {
        try tx.executeAndWait("DELETE FROM live_link WHERE expires_at <= \(before)")
        try tx.executeAndWait("DELETE FROM live_viewer WHERE seen_at <= \(viewersBefore)")
    }

    static func deleteAll(of owner: PersonID, in tx: Transaction) throws {
        try tx.execute("DELETE FROM live_link WHERE account_id = \(owner)")
    }

    static func deleteAll(of item: ID<Item>, in tx: Transaction) throws {
        try tx.execute("DELETE FROM live_link WHERE item_id = \(item)")
    }

    // MARK: Position

    /// The newest position since the link's creation; `nil` before the first one.
    static func position(of link: LiveLink, in tx: Transaction) throws -> SharedPosition? {
        let row =
            if let item = link.item {
                try tx.row(
                    """
                    SELECT at, latitude, longitude, accuracy FROM whereabouts
                    WHERE item_id = \(item) AND at >= \(link.createdAt)
                    """)
            } else {
                try tx.row(
                    """
                    SELECT at, latitude, longitude, accuracy FROM phone_position
                    WHERE account_id = \(link.owner) AND at >= \(link.createdAt) ORDER BY at DESC LIMIT 1
                    """)
            }
        return try row.map {
            SharedPosition(
                at: try $0.get("at"), coordinate: try $0.coordinate(), accuracyMetres: try $0.get("accuracy"))
        }
    }

    // MARK: Viewers

    static func viewerCount(of id: ID<LiveLink>, now: Instant, in tx: Transaction) throws -> Int {
        let since = now.adding(seconds: -Limits.liveViewerSeconds)
        return try tx.row(
            "SELECT COUNT(*) AS total FROM live_viewer WHERE link_id = \(id) AND seen_at > \(since)"
        )?.get("total") ?? 0
    }

    static func addViewer(_ viewer: String, to id: ID<LiveLink>, now: Instant, in tx: Transaction) throws {
        try tx.execute("INSERT INTO live_viewer (link_id, viewer, seen_at) VALUES (\(id), \(viewer), \(now))")
    }

    static func refresh(_ viewer: String, of id: ID<LiveLink>, now: Instant, in tx: Transaction) throws {
        // The row is gone when the node couldn't refresh it for a while.
        try tx.execute(
            """
            INSERT INTO live_viewer (link_id, viewer, seen_at)
            SELECT id, \(viewer), \(now) FROM live_link WHERE id = \(id)
            ON CONFLICT (link_id, viewer) DO UPDATE SET seen_at = excluded.seen_at
            """
        )
    }

    static func removeViewer(_ viewer: String, of id: ID<LiveLink>, in tx: Transaction) throws {
        try tx.execute("DELETE FROM live_viewer WHERE link_id = \(id) AND viewer = \(viewer)")
    }

    private static func read(_ row: Row) throws -> LiveLink {
        let ending: String? = try row.get("ending")
        return LiveLink(
            id: try row.get("id"), owner: try row.get("account_id"), item: try row.get("item_id"),
            showsName: try row.get("shows_name"), untilMet: try row.get("until_met"),
            createdAt: try row.get("created_at"), expiresAt: try row.get("expires_at"),
            endedAt: try row.get("ended_at"), ending: ending.flatMap(LiveLink.State.init),
            version: try row.get("version")
        )
    }
}
