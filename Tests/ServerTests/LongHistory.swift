import Kernel

@testable import Storage

/// Adds a long history to a store: copies rows of the people in it, thousands of times, with earlier times and other
/// ids. What is limited for each person (sessions, notifications) becomes that of other people.
struct LongHistory {
    /// The number of copies. PostgreSQL scans a smaller table, because that costs less than fifty searches of an index;
    /// SQLite's plans don't depend on the number.
    private var rowCount: Int { dialect == .sqlite ? 5_000 : 20_000 }

    /// A table, the row to copy, and the columns of a copy that differ from it. `n` is the number of the copy.
    private struct Copies {
        let table: String
        let source: String
        let columns: [String: String]
    }

    let dialect: Dialect
    /// The owner of packages and items, and a child with points.
    let owner: String
    let child: String

    func write(in tx: Transaction) throws {
        for copies in copies { try write(copies, in: tx) }
        try tx.execute(SQL(trusted: "ANALYZE"))
    }

    private var uuid: String {
        dialect == .sqlite
            ? "printf('00000001-0000-7000-8000-%012x', n)"
            : "'00000001-0000-7000-8000-' || lpad(to_hex(n), 12, '0')"
    }

    private var digest: String {
        dialect == .sqlite ? "CAST(printf('%032x', n) AS BLOB)" : "convert_to(lpad(to_hex(n), 32, '0'), 'UTF8')"
    }

    private func first(_ key: String, of table: String, where condition: String = "1 = 1") -> String {
        "\(key) = (SELECT \(key) FROM \(table) WHERE \(condition) ORDER BY \(key) LIMIT 1)"
    }

    private var copies: [Copies] {
        let finished = first("id", of: "carrepsa_package", where: "finished_at IS NOT NULL")
        return [
            Copies(
                table: "account", source: first("id", of: "account", where: "role = 'adult'"),
                columns: [
                    "id": uuid, "email": "'p' || n || '@example.net'", "email_key": "'p' || n || '@example.net'",
                ]),
            Copies(
                table: "session", source: first("id", of: "session", where: "account_id = '\(owner)'"),
                columns: ["id": uuid, "account_id": uuid, "token_hash": digest]),
            Copies(
                table: "outbox", source: first("sequence", of: "outbox", where: "audience = '\(owner)'"),
                columns: ["sequence": "-n", "at": "at - 86400000"]),
            Copies(
                table: "notice", source: first("id", of: "notice", where: "account_id = '\(owner)'"),
                columns: ["id": uuid, "account_id": uuid, "at": "at - 86400000 - n"]),
            Copies(
                table: "idempotency", source: first("scope", of: "idempotency", where: "person = '\(owner)'"),
                columns: ["scope": digest]),
            Copies(table: "carrepsa_package", source: finished, columns: ["id": uuid]),
            Copies(
                table: "carrepsa_story", source: "number = 1 AND package_id NOT LIKE '00000001-%'",
                columns: ["package_id": uuid]),
            Copies(
                table: "ledger_account", source: first("id", of: "ledger_account", where: "may_overdraw = 0"),
                columns: ["id": "'old:' || \(uuid)", "balance": "0"]),
            Copies(
                table: "ledger_transfer", source: first("id", of: "ledger_transfer"),
                columns: ["id": uuid, "subject": uuid, "batch": "1"]),
            Copies(
                table: "ledger_posting",
                source: "account LIKE '%\(owner)%' AND sequence = 1 AND account NOT LIKE 'old:%'",
                columns: ["sequence": "1000000 + n", "transfer": uuid]),
            Copies(
                table: "fix", source: "at = (SELECT MIN(at) FROM fix)", columns: ["at": "at - 1000 * n"]),
            Copies(
                table: "family_contract", source: first("id", of: "family_contract"),
                columns: ["id": uuid, "ended_at": "created_at"]),
            Copies(
                table: "family_assignment", source: first("id", of: "family_assignment"),
                columns: ["id": uuid, "booking_id": uuid, "contract_id": uuid, "done_on": "'2020-01-01'"]),
            Copies(
                table: "job", source: "",
                columns: [
                    "id": uuid, "lane": "'mail'", "kind": "'mail'", "subject": "'n' || n", "due_at": "0",
                    "queued_at": "0", "expires_at": "0", "dead_at": "1",
                ]),
        ]
    }

    private func write(_ copies: Copies, in tx: Transaction) throws {
        let numbers =
            dialect == .sqlite
            ? "(WITH RECURSIVE s(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < \(rowCount)) SELECT n FROM s)"
            : "generate_series(1, \(rowCount))"
        let columns = copies.source.isEmpty ? copies.columns.keys.sorted() : try names(of: copies.table, in: tx)
        let values = columns.map { copies.columns[$0] ?? $0 }.joined(separator: ", ")
        let source =
            copies.source.isEmpty ? "" : ", (SELECT * FROM \(copies.table) WHERE \(copies.source) LIMIT 1) AS source"
        let series = dialect == .sqlite ? "\(numbers) AS s" : "\(numbers) AS s(n)"
        let count = try tx.executeCounting(
            SQL(
                trusted: """
                    INSERT INTO \(copies.table) (\(columns.joined(separator: ", ")))
                    SELECT \(values) FROM \(series)\(source)
                    """))
        guard count == rowCount else { throw MissingSource(table: copies.table) }
    }

    private func names(of table: String, in tx: Transaction) throws -> [String] {
        let sql =
            dialect == .sqlite
            ? "SELECT name FROM pragma_table_info('\(table)')"
            : "SELECT column_name::text AS name FROM information_schema.columns WHERE table_name = '\(table)'"
        return try tx.rows(SQL(trusted: sql)).map { try $0.get("name") }
    }

    struct MissingSource: Error {
        let table: String
    }
}
