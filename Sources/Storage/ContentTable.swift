/// A table whose rows belong to a backup, as the schema of a SQLite file describes it. The list comes from the schema,
/// so that a backup also contains the tables of later migrations.
struct ContentTable: Sendable, Hashable {
    /// The tables that each database writes itself: its migrations, and events that only open pages need.
    private static let ownTables: Set<String> = ["schema_migration", "outbox"]

    let name: String
    /// The columns, without generated ones.
    let columns: [String]
    /// The column with numbers that the engine generates.
    let serial: String?

    /// Returns the tables of a SQLite file by name.
    static func all(in sqlite: Transaction) throws -> [ContentTable] {
        let rows = try sqlite.rows(
            "SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name"
        )
        return try rows.compactMap { row in
            let name: String = try row.get("name")
            guard !ownTables.contains(name) else { return nil }
            let details = try sqlite.rows(SQL(trusted: "PRAGMA table_xinfo(\(quoted(name)))"))
            let isStored = { (row: Row) in try row.get("hidden", as: Int.self) == 0 }
            let columns = try details.filter(isStored).map { try $0.get("name", as: String.self) }
            let isNumbered = try row.get("sql", as: String.self).uppercased().contains("AUTOINCREMENT")
            let key = try details.first { try $0.get("pk", as: Int.self) == 1 }
            return ContentTable(
                name: name, columns: columns, serial: isNumbered ? try key?.get("name", as: String.self) : nil)
        }
    }

    /// The table's name in a statement.
    var quotedName: String { Self.quoted(name) }

    /// The names of the columns in a statement.
    var columnList: String { columns.map(Self.quoted).joined(separator: ", ") }

    /// A statement that reads all rows.
    var select: SQL { SQL(trusted: "SELECT \(columnList) FROM \(quotedName)") }

    /// Returns a statement that inserts one row.
    func insert(_ values: [SQLValue]) -> SQL {
        let places = repeatElement("?", count: columns.count).joined(separator: ", ")
        return SQL(trusted: "INSERT INTO \(quotedName) (\(columnList)) VALUES (\(places))", values: values)
    }

    /// Counts the rows.
    func count(in transaction: Transaction) throws -> Int {
        try transaction.row(SQL(trusted: "SELECT COUNT(*) AS total FROM \(quotedName)"))?.get("total") ?? 0
    }

    static func quoted(_ name: String) -> String {
        "\"" + name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }
}
