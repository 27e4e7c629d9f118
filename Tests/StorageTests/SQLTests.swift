import Kernel
@testable import Storage
import Testing

@Suite("SQL values")
struct SQLTests {
    private enum Mode: String, SQLBindable, SQLReadable {
        case bluetooth, cellular
    }

    @Test("Interpolated values are bound")
    func binds() {
        let hostile = "'; DROP TABLE item; --"
        let sql: SQL = "SELECT * FROM item WHERE name = \(hostile) AND version > \(3) AND on_shelf = \(true)"
        #expect(sql.text == "SELECT * FROM item WHERE name = ? AND version > ? AND on_shelf = ?")
        #expect(sql.values == [.text(hostile), .integer(3), .integer(1)])
    }

    @Test("Optionals, enums, ids and instants are bound as their stored values")
    func kinds() {
        let id = ID<Person>(at: Instant(millisecondsSince1970: 5), series: 1)
        let nothing: Int? = nil
        let bytes: [UInt8] = [1, 2]
        let sql: SQL =
            "\(nothing), \(Optional(2.5)), \(Mode.cellular), \(id), \(id.instant), \(bytes), \(SQLValue.null)"
        #expect(sql.text == "?, ?, ?, ?, ?, ?, ?")
        let expected: [SQLValue] = [
            .null, .real(2.5), .text("cellular"), .text(id.description), .integer(5), .blob([1, 2]), .null,
        ]
        #expect(sql.values == expected)
    }

    @Test("Parts are joined with their values in order")
    func parts() {
        let condition: SQL = "a = \(1)"
        let conditions: [SQL] = [condition, "b = \("x")"]
        let whole: SQL =
            "SELECT \(raw: "a, b") FROM t WHERE \(sql: conditions.joined(separator: " AND ")) AND c IN \(list: [7, 8])"
        #expect(whole.text == "SELECT a, b FROM t WHERE a = ? AND b = ? AND c IN (?,?)")
        #expect(whole.values == [.integer(1), .text("x"), .integer(7), .integer(8)])
        #expect((condition + " OR " + condition).text == "a = ? OR a = ?")
        #expect(([] as [SQL]).joined(separator: ", ") == SQL())
        let none: SQL = "IN \(list: [] as [String])"
        #expect(none.text == "IN (NULL)")
    }

    @Test("PostgreSQL's placeholders are numbered, except in quotes and comments")
    func numbered() {
        #expect(PostgresText.numbered("a = ? AND b = ?") == "a = $1 AND b = $2")
        #expect(PostgresText.numbered("'?''?' = ? AND \"?\" = ?") == "'?''?' = $1 AND \"?\" = $2")
        #expect(PostgresText.numbered("a -- why?\n= ? - -1") == "a -- why?\n= $1 - -1")
        #expect(PostgresText.numbered("ä = ?") == "ä = $1")
    }

    @Test("A database URL is parsed, and printed without secrets")
    func urls() throws {
        #expect(try DatabaseURL("sqlite:data/homeward.sqlite").dialect == .sqlite)
        #expect(try DatabaseURL("sqlite:///srv/homeward.sqlite").description == "sqlite:/srv/homeward.sqlite")
        let postgres = try DatabaseURL(
            "postgres://me:secret@one:5432,two:5433/homeward?sslmode=require&password=secret")
        #expect(postgres.dialect == .postgres)
        #expect(postgres.description == "postgres://one:5432,two:5433/homeward")
        for text in ["", "sqlite:", "sqlite::memory:", "mysql://x", "/srv/homeward.sqlite", "sqlite:a\u{0}b"] {
            #expect(throws: StorageError.self) { try DatabaseURL(text) }
        }
    }
}
