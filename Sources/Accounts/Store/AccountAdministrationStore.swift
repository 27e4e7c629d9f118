import Kernel
import Storage

/// Statements on the table `account` for the administration of the server.
extension AccountStore {
    /// Whether a person can administer the server.
    static func hasAdministrator(in tx: Transaction) throws -> Bool {
        try tx.row("SELECT 1 AS found FROM account WHERE is_operator = 1 AND disabled_at IS NULL LIMIT 1") != nil
    }

    /// Locks several accounts in one order, so that transactions on the same ones can't block each other.
    static func lock(_ people: PersonID..., in tx: Transaction) throws {
        for person in Set(people).sorted(by: { $0.description < $1.description }) {
            _ = try lockedAccount(person, in: tx)
        }
    }

    /// Returns up to `limit` accounts, the newest first.
    /// - Parameters:
    ///   - role: `nil` for all roles.
    ///   - before: the last account of the previous page.
    static func newest(
        _ role: Role? = nil, before: PersonID?, limit: Int, in tx: Transaction
    ) throws -> [Account] {
        let range: SQL = if let before { "id < \(before)" } else { "1 = 1" }
        return try tx.rows(
            """
            SELECT \(sql: columns) FROM account WHERE \(sql: range) \(sql: condition(role)) ORDER BY id DESC LIMIT \(limit)
            """
        ).map(read)
    }

    private static func condition(_ role: Role?) -> SQL {
        if let role { "AND role = \(role.rawValue)" } else { "" }
    }

    /// Returns up to `limit` accounts whose email or name begins with the text, or that have it as their id. Names
    /// match as in other searches (`SearchText`).
    static func search(_ text: String, _ role: Role? = nil, limit: Int, in tx: Transaction) throws -> [Account] {
        if let id = PersonID(text) {
            return try account(id, in: tx).map { role == nil || $0.role == role ? [$0] : [] } ?? []
        }
        // The greatest text that begins with another one: the last code point sorts after all others.
        let key = text.lowercased()
        let byEmail = try tx.rows(
            """
            SELECT \(sql: columns) FROM account WHERE email_key >= \(key) AND email_key < \(key + "\u{10FFFF}")
                \(sql: condition(role))
            ORDER BY email_key LIMIT \(limit)
            """
        ).map(read)
        let folded = SearchText.folded(text)
        guard !folded.isEmpty else { return byEmail }
        let byName = try tx.rows(
            """
            SELECT \(sql: columns) FROM account
            WHERE name_folded >= \(folded) AND name_folded < \(folded + "\u{10FFFF}") \(sql: condition(role))
            ORDER BY name_folded, id LIMIT \(limit)
            """
        ).map(read)
        let known = Set(byEmail.map(\.id))
        return Array((byEmail + byName.filter { !known.contains($0.id) }).prefix(limit))
    }

    /// Folds the names of earlier versions for searches, at most ``Limits/housekeepingBatch`` of them.
    /// - Returns: the number of folded names.
    static func foldNames(in tx: Transaction) throws -> Int {
        let rows = try tx.rows(
            "SELECT id, name FROM account WHERE name_folded IS NULL LIMIT \(Limits.housekeepingBatch)")
        for row in rows {
            let id: PersonID = try row.get("id")
            let name: String = try row.get("name")
            try tx.execute("UPDATE account SET name_folded = \(SearchText.folded(name)) WHERE id = \(id)")
        }
        return rows.count
    }

    static func setDisabled(at instant: Instant?, _ person: PersonID, in tx: Transaction) throws {
        try tx.execute("UPDATE account SET disabled_at = \(instant) WHERE id = \(person)")
    }

    static func setOperator(_ isOperator: Bool, _ person: PersonID, in tx: Transaction) throws {
        try tx.execute("UPDATE account SET is_operator = \(isOperator) WHERE id = \(person)")
    }

    static func increaseVersion(of person: PersonID, in tx: Transaction) throws {
        try tx.execute("UPDATE account SET version = version + 1 WHERE id = \(person)")
    }
}
