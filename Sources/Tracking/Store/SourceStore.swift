import Kernel
import Storage

/// The table `source`.
enum SourceStore {
    private static let select: SQL = """
        SELECT s.id, s.kind, s.item_id, s.user_name, s.speed_unit, s.version, s.created_at,
            COALESCE(w.last_seen_at, p.received_at) AS last_seen_at
        FROM source s
        LEFT JOIN whereabouts w ON w.item_id = s.item_id
        LEFT JOIN phone_position p ON p.source_id = s.id
        """

    static func page(of owner: PersonID, after: ID<Source>?, limit: Int, in tx: Transaction) throws -> [Source] {
        try tx.rows(
            "\(sql: select) WHERE s.account_id = \(owner) \(sql: .after(after, "s.id")) ORDER BY s.id LIMIT \(limit)"
        ).map(read)
    }

    static func count(of owner: PersonID, in tx: Transaction) throws -> Int {
        try tx.row("SELECT COUNT(*) AS total FROM source WHERE account_id = \(owner)")?.get("total") ?? 0
    }

    static func source(item: ID<Item>, in tx: Transaction) throws -> Source? {
        try tx.row("\(sql: select) WHERE s.item_id = \(item)").map(read)
    }

    static func source(_ id: ID<Source>, of owner: PersonID, in tx: Transaction) throws -> Source? {
        try tx.row("\(sql: select) WHERE s.id = \(id) AND s.account_id = \(owner)").map(read)
    }

    static func insert(
        _ source: Source, owner: PersonID, secretHash: [UInt8], passphrase: [UInt8]?, in tx: Transaction
    ) throws {
        try tx.execute(
            """
            INSERT INTO source (
                id, account_id, kind, item_id, user_name, secret_hash, passphrase, speed_unit, created_at
            ) VALUES (
                \(source.id), \(owner), \(source.kind), \(source.itemID), \(source.user), \(secretHash), \(passphrase),
                \(source.speedUnit), \(source.createdAt)
            )
            """
        )
    }

    static func activate(_ id: ID<Source>, in tx: Transaction) throws -> Bool {
        try tx.executeCounting(
            "UPDATE source SET state = 'active', version = version + 1 WHERE id = \(id) AND state = 'bound'"
        ) == 1
    }

    /// Deletes a source with its quarantine and commands; positions in an item's history remain.
    static func delete(_ source: Source, in tx: Transaction) throws {
        try QuarantineStore.delete(device: source.id.description, in: tx)
        try tx.execute("DELETE FROM source WHERE id = \(source.id)")
        if let item = source.itemID { try FixStore.forgetDevice(of: item, in: tx) }
    }

    static func deleteAll(of owner: PersonID, in tx: Transaction) throws {
        try tx.execute("DELETE FROM source WHERE account_id = \(owner)")
    }

    /// Replaces a source's secrets. The old ones are invalid from the commit on.
    /// - Returns: The source's new version; `nil` when it is absent or its version isn't `ifVersion`.
    static func renew(
        _ id: ID<Source>, secretHash: [UInt8], passphrase: [UInt8]?, ifVersion: Int64, in tx: Transaction
    ) throws -> Int64? {
        try tx.row(
            """
            UPDATE source SET secret_hash = \(secretHash), passphrase = \(passphrase), version = version + 1
            WHERE id = \(id) AND version = \(ifVersion) RETURNING version
            """
        )?.get("version")
    }

    /// Whether the credential is still valid: the source exists and has the same secret.
    static func exists(_ credential: SourceCredential, in tx: Transaction) throws -> Bool {
        let source = try tx.row(
            """
            SELECT 1 AS found FROM source
            WHERE id = \(credential.source) AND secret_hash = \(credential.secretHash)
            """
        )
        return source != nil
    }

    static func credential(secretHash: [UInt8], in tx: Transaction) throws -> SourceCredential? {
        let row = try tx.row(
            """
            SELECT s.id, s.account_id, s.kind, s.user_name, s.passphrase, s.speed_unit, s.item_id, s.state, t.series
            FROM source s LEFT JOIN track t ON t.item_id = s.item_id AND t.device = s.id
            WHERE s.secret_hash = \(secretHash)
            """
        )
        guard let row else { return nil }
        var tracked: SourceCredential.Tracked?
        if let item: ID<Item> = try row.get("item_id"), let series: Int64 = try row.get("series") {
            let state: TrackerState = try row.get("state")
            tracked = SourceCredential.Tracked(item: item, series: series, isActive: state == .active)
        }
        return SourceCredential(
            source: try row.get("id"), secretHash: secretHash, owner: try row.get("account_id"),
            kind: try row.get("kind"), user: try row.get("user_name"),
            sealedPassphrase: try row.get("passphrase"), speedUnit: try row.get("speed_unit"), tracked: tracked
        )
    }

    private static func read(_ row: Row) throws -> Source {
        Source(
            id: try row.get("id"), kind: try row.get("kind"), itemID: try row.get("item_id"),
            user: try row.get("user_name"), speedUnit: try row.get("speed_unit"),
            lastSeenAt: try row.get("last_seen_at"), version: try row.get("version"),
            createdAt: try row.get("created_at")
        )
    }
}
