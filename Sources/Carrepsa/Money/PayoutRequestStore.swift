import Kernel
import Storage

/// The table `carrepsa_payout_request`.
enum PayoutRequestStore {
    private static let columns: SQL = """
        r.id, r.account_id, r.amount, r.destination, r.state, r.reason, r.created_at, r.ended_at, r.version
        """

    static func one(_ id: ID<PayoutRequest>, in tx: Transaction) throws -> PayoutRequest? {
        try tx.row("SELECT \(sql: columns) FROM carrepsa_payout_request r WHERE r.id = \(id)").map(read)
    }

    /// Returns the request and locks its row until the transaction ends.
    static func lock(_ id: ID<PayoutRequest>, in tx: Transaction) throws -> PayoutRequest? {
        try tx.row("SELECT \(sql: columns) FROM carrepsa_payout_request r WHERE r.id = \(id) \(sql: tx.forUpdate)")
            .map(read)
    }

    static func open(of person: PersonID, in tx: Transaction) throws -> PayoutRequest? {
        try tx.row(
            "SELECT \(sql: columns) FROM carrepsa_payout_request r WHERE r.account_id = \(person) AND r.state = 'open'"
        ).map(read)
    }

    /// A person's latest requests, the newest first.
    static func latest(of person: PersonID, limit: Int, in tx: Transaction) throws -> [PayoutRequest] {
        try tx.rows(
            """
            SELECT \(sql: columns) FROM carrepsa_payout_request r WHERE r.account_id = \(person)
            ORDER BY r.id DESC LIMIT \(limit)
            """
        ).map(read)
    }

    /// Returns a page of all requests of a person, the oldest first.
    static func all(
        of person: PersonID, after: ID<PayoutRequest>?, limit: Int, in tx: Transaction
    ) throws -> [PayoutRequest] {
        try tx.rows(
            """
            SELECT \(sql: columns) FROM carrepsa_payout_request r
            WHERE r.account_id = \(person) \(sql: .after(after, "r.id")) ORDER BY r.id LIMIT \(limit)
            """
        ).map(read)
    }

    /// Returns a page of the open requests with the names of their people, the oldest first.
    static func waiting(
        after: ID<PayoutRequest>?, limit: Int, in tx: Transaction
    ) throws -> [(request: PayoutRequest, name: String)] {
        try tx.rows(
            """
            SELECT \(sql: columns), a.name FROM carrepsa_payout_request r JOIN account a ON a.id = r.account_id
            WHERE r.state = 'open' \(sql: .after(after, "r.id")) ORDER BY r.id LIMIT \(limit)
            """
        ).map { (try read($0), try $0.get("name")) }
    }

    static func insert(_ request: PayoutRequest, in tx: Transaction) throws {
        try tx.execute(
            """
            INSERT INTO carrepsa_payout_request (
                id, account_id, amount, destination, state, created_at, version
            ) VALUES (
                \(request.id), \(request.person), \(request.amount), \(request.destination),
                \(request.state.rawValue), \(request.createdAt), \(request.version)
            )
            """
        )
    }

    /// Ends an open request.
    /// - Parameter transfer: The payment; `nil` unless it was paid.
    static func end(
        _ id: ID<PayoutRequest>, as state: PayoutRequest.State, reason: String? = nil, transfer: String? = nil,
        now: Instant, in tx: Transaction
    ) throws {
        try tx.execute(
            """
            UPDATE carrepsa_payout_request SET state = \(state.rawValue), reason = \(reason),
                transfer_id = \(transfer), ended_at = \(now), version = version + 1
            WHERE id = \(id) AND state = 'open'
            """
        )
    }

    private static func read(_ row: Row) throws -> PayoutRequest {
        PayoutRequest(
            id: try row.get("id"), person: try row.get("account_id"), amount: try row.get("amount"),
            destination: try row.get("destination"),
            state: PayoutRequest.State(rawValue: try row.get("state")) ?? .withdrawn, reason: try row.get("reason"),
            createdAt: try row.get("created_at"), endedAt: try row.get("ended_at"), version: try row.get("version"))
    }
}
