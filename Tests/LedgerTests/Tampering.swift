import Foundation
import Kernel
import Ledger
import Storage
import TestSupport

/// Changes that an attacker with the database but without the key can make.
enum Tampering {
    /// The ledger's tables without checks and references, which such an attacker could drop. Later migrations only drop
    /// some of them.
    static let openMigrations = Ledger.migrations.prefix(1).map { migration in
        Migration(
            module: migration.module, name: migration.name,
            sql: without("REFERENCES ledger_", without("CHECK ", migration.sql))
        )
    }

    /// Removes each `word` with the parentheses after it.
    private static func without(_ word: String, _ sql: String) -> String {
        var rest = sql[...]
        var text = ""
        while let start = rest.range(of: word) {
            text += rest[..<start.lowerBound]
            rest = rest[start.upperBound...].drop { $0 != "(" }
            var depth = 0
            repeat {
                let character = rest.removeFirst()
                if character == "(" { depth += 1 } else if character == ")" { depth -= 1 }
            } while depth > 0
        }
        return text + rest
    }

    /// A changed byte with the statements that restore it.
    struct Change: Sendable {
        let table: LedgerTable
        let column: String
        let byte: Int
        /// The row's key before and after.
        let names: [String]
        let undo: [SQL]
    }

    /// Returns a random row of `table`.
    static func row(of table: LedgerTable, where condition: String, _ fixture: LedgerFixture) async throws -> [SQLValue]
    {
        let choice = fixture.random.uint64()
        return try await fixture.database.read { tx in
            let rows = try tx.rows(
                SQL(stringLiteral: "SELECT * FROM \(table.name) WHERE \(condition) ORDER BY \(table.order)"))
            let row = rows[Int(choice % UInt64(rows.count))]
            return try table.columns.map { try row.get($0, as: SQLValue.self) }
        }
    }

    /// Changes a random byte of one column in a random row.
    static func change(
        _ column: String, of table: LedgerTable, where condition: String = "1 = 1", _ fixture: LedgerFixture
    ) async throws -> Change {
        guard let index = table.columns.firstIndex(of: column) else { throw Missing(what: column) }
        while true {
            let row = try await row(of: table, where: condition, fixture)
            let (changed, byte) = altered(row[index], column, fixture.random)
            var after = row
            after[index] = changed
            let update = assignment(table, column, changed, where: row)
            do {
                try await fixture.database.write { tx in try tx.execute(update) }
            } catch StorageError.uniqueViolation {
                // The change would duplicate another row's key, which the database rejects.
                continue
            }
            return Change(
                table: table, column: column, byte: byte, names: [name(row, table), name(after, table)],
                undo: [assignment(table, column, row[index], where: after)]
            )
        }
    }

    static func undo(_ change: Change, _ fixture: LedgerFixture) async throws {
        try await fixture.database.write { tx in
            for statement in change.undo { try tx.execute(statement) }
        }
    }

    struct Missing: Error {
        let what: String
    }

    static func name(_ row: [SQLValue], _ table: LedgerTable) -> String {
        let values = table.keys.map { key -> String in
            switch table.columns.firstIndex(of: key).map({ row[$0] }) {
            case .text(let text): text
            case .integer(let number): "\(number)"
            default: "?"
            }
        }
        return values.joined(separator: "/")
    }

    private static func assignment(
        _ table: LedgerTable, _ column: String, _ value: SQLValue, where row: [SQLValue]
    ) -> SQL {
        var statement = SQL(stringLiteral: "UPDATE \(table.name) SET \(column) = ") + "\(value)"
        for (position, key) in table.keys.enumerated() {
            guard let index = table.columns.firstIndex(of: key) else { continue }
            statement += SQL(stringLiteral: position == 0 ? " WHERE \(key) = " : " AND \(key) = ")
            statement += "\(row[index])"
        }
        return statement
    }

    private static func altered(_ value: SQLValue, _ column: String, _ random: SeededRandom) -> (SQLValue, Int) {
        switch value {
        case .integer(let number):
            let byte = Int(random.uint64() % 8)
            let mask = random.uint64() % 255 + 1
            return (.integer(number ^ Int64(bitPattern: mask << UInt64((7 - byte) * 8))), byte)
        case .text(let text):
            var bytes = Array(text.utf8)
            let byte = Int(random.uint64() % UInt64(bytes.count))
            let symbols = Array("0123456789abcdefghijklmnopqrstuvwxyzABCDEF -:".utf8).filter { $0 != bytes[byte] }
            bytes[byte] = symbols[Int(random.uint64() % UInt64(symbols.count))]
            return (.text(String(decoding: bytes, as: UTF8.self)), byte)
        case .blob(var bytes):
            let byte = Int(random.uint64() % UInt64(bytes.count))
            bytes[byte] ^= UInt8(random.uint64() % 255 + 1)
            return (.blob(bytes), byte)
        case .null, .real:
            // NULL becomes one byte.
            return (column == "batch" ? .integer(1) : .text("7"), 0)
        }
    }
}
