import Kernel

/// Copies rows between a PostgreSQL transaction and a SQLite file, table by table.
struct PostgresContent {
    private struct Reference {
        let table: String
        let name: String
        let definition: String
    }

    let connection: PostgresConnection
    let transaction: Transaction

    // MARK: From PostgreSQL

    /// Copies all rows to an empty SQLite file that has the same schema.
    func copy(to file: SQLiteContentFile) throws {
        try file.fill { sqlite in
            for (index, table) in try ContentTable.all(in: sqlite).enumerated() {
                try copy(table, index, to: sqlite)
                guard let serial = table.serial else { continue }
                let last = try lastNumber(of: table, serial)
                try sqlite.execute("DELETE FROM sqlite_sequence WHERE name = \(table.name)")
                try sqlite.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (\(table.name), \(last))")
            }
        }
    }

    private func copy(_ table: ContentTable, _ index: Int, to sqlite: Transaction) throws {
        // Migrations may have inserted rows.
        try sqlite.execute(SQL(trusted: "DELETE FROM \(table.quotedName)"))
        let cursor = "content_\(index)"
        try transaction.execute(SQL(trusted: "DECLARE \(cursor) NO SCROLL CURSOR FOR ") + table.select)
        let fetch = SQL(trusted: "FETCH FORWARD \(Limits.backupRows) FROM \(cursor)")
        var copied = 0
        while true {
            let rows = try transaction.rows(fetch)
            for row in rows { try sqlite.execute(table.insert(row.values)) }
            copied += rows.count
            if rows.count < Limits.backupRows { break }
        }
        try transaction.execute(SQL(trusted: "CLOSE \(cursor)"))
        let expected = try table.count(in: transaction)
        guard copied == expected else {
            throw StorageError.backup("\(copied) of \(expected) rows of \(table.name) were read")
        }
    }

    /// The last number that the engine generated, which may be above those of all rows.
    private func lastNumber(of table: ContentTable, _ serial: String) throws -> Int64 {
        let row = try transaction.row(
            """
            SELECT COALESCE(pg_sequence_last_value(pg_get_serial_sequence(\(table.quotedName), \(serial))::regclass), 0)
                AS last
            """)
        return try row?.get("last") ?? 0
    }

    // MARK: To PostgreSQL

    /// Locks all tables, so that no other transaction reads or writes them until the end of this one.
    func lock(_ tables: [ContentTable]) throws {
        let names = tables.map(\.quotedName).joined(separator: ", ")
        try transaction.executeAndWait(SQL(trusted: "LOCK TABLE \(names) IN ACCESS EXCLUSIVE MODE"))
    }

    /// Replaces all rows with those of a SQLite file that has the same schema. References are removed while the rows
    /// are copied, and checked when they are added again.
    func replace(with sqlite: SQLiteSession, _ tables: [ContentTable]) throws {
        let references = try references(of: tables)
        for reference in references {
            let name = ContentTable.quoted(reference.name)
            try transaction.execute(SQL(trusted: "ALTER TABLE \(reference.table) DROP CONSTRAINT \(name)"))
        }
        let names = tables.map(\.quotedName).joined(separator: ", ")
        try transaction.executeAndWait(SQL(trusted: "TRUNCATE \(names)"))
        for table in tables { try copy(table, from: sqlite) }
        for reference in references {
            let name = ContentTable.quoted(reference.name)
            try transaction.executeAndWait(
                SQL(trusted: "ALTER TABLE \(reference.table) ADD CONSTRAINT \(name) \(reference.definition)"))
        }
    }

    private func references(of tables: [ContentTable]) throws -> [Reference] {
        try transaction.rows(
            """
            SELECT conrelid::regclass::text AS place, conname::text AS name,
                pg_get_constraintdef(pg_constraint.oid) AS definition
            FROM pg_constraint JOIN pg_class ON pg_class.oid = conrelid
            WHERE contype = 'f' AND connamespace = current_schema()::regnamespace
                AND relname::text IN \(list: tables.map(\.name))
            ORDER BY conrelid, conname
            """
        ).map { row in
            Reference(
                table: try row.get("place"), name: try row.get("name"), definition: try row.get("definition"))
        }
    }

    private func copy(_ table: ContentTable, from session: SQLiteSession) throws {
        try connection.copyIn("COPY \(table.quotedName) (\(table.columnList)) FROM STDIN") { send in
            try session.forEachRow(table.select) { row in try send(CopyText.line(row.values)) }
        }
        let sqlite = Transaction(session)
        let (copied, expected) = (try table.count(in: transaction), try table.count(in: sqlite))
        guard copied == expected else {
            throw StorageError.backup("\(copied) of \(expected) rows of \(table.name) were restored")
        }
        guard let serial = table.serial else { return }
        let last: Int64 =
            try sqlite.row("SELECT COALESCE(MAX(seq), 0) AS last FROM sqlite_sequence WHERE name = \(table.name)")?
            .get("last") ?? 0
        let next = max(last, try lastNumber(of: table, serial)) + 1
        // Takes effect at once, also if the transaction fails; it only skips numbers.
        _ = try transaction.row(
            "SELECT setval(pg_get_serial_sequence(\(table.quotedName), \(serial))::regclass, \(next), false)")
    }
}

/// Rows in the text format of PostgreSQL's COPY.
enum CopyText {
    /// Returns one row with its line break.
    static func line(_ values: [SQLValue]) -> [UInt8] {
        var line: [UInt8] = []
        for (index, value) in values.enumerated() {
            if index > 0 { line.append(UInt8(ascii: "\t")) }
            append(value, to: &line)
        }
        line.append(UInt8(ascii: "\n"))
        return line
    }

    private static func append(_ value: SQLValue, to line: inout [UInt8]) {
        switch value {
        case .null: line += Array("\\N".utf8)
        case .integer(let number): line += Array("\(number)".utf8)
        case .real(let number): line += Array("\(number)".utf8)
        case .text(let text):
            for byte in text.utf8 {
                switch byte {
                case UInt8(ascii: "\\"): line += [byte, byte]
                case UInt8(ascii: "\t"): line += Array("\\t".utf8)
                case UInt8(ascii: "\n"): line += Array("\\n".utf8)
                case UInt8(ascii: "\r"): line += Array("\\r".utf8)
                default: line.append(byte)
                }
            }
        case .blob(let bytes): line += Array("\\\\x\(Hexadecimal.encoded(bytes))".utf8)
        }
    }
}
