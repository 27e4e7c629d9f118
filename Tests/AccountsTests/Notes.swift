import Accounts
import Kernel
import Storage
import TestSupport

/// An app with data of its own: a table of notes.
struct Notes: TestDataHandler {
    static let migrations = [
        Migration(
            module: "notes", name: "0001-notes",
            sql: "CREATE TABLE note (account_id {text} NOT NULL REFERENCES account(id), words {text} NOT NULL) {strict}"
        )
    ]

    func export(_ person: PersonID, in tx: Transaction) throws -> [(path: String, contents: [UInt8])] {
        let rows = try tx.rows("SELECT words FROM note WHERE account_id = \(person) ORDER BY words")
        return try rows.enumerated().map { number, row in
            ("notes/ä \(number).txt", Array(try row.get("words", as: String.self).utf8))
        }
    }

    func attachments(of person: PersonID) async throws -> [ExportAttachment] {
        [
            ExportAttachment(path: "notes/large.bin") { [UInt8](repeating: 7, count: 300_000) },
            ExportAttachment(path: "notes/gone.bin") { nil },
            ExportAttachment(path: "notes/photo.jpg", isCompressed: true) { Array("as it is".utf8) },
            ExportAttachment(path: "notes/history.txt", pieces: { Lines(count: 2_000) }),
            ExportAttachment(path: "notes/gone.txt", pieces: { nil }),
        ]
    }

    func erase(_ person: PersonID, in tx: Transaction) throws {
        try tx.execute("DELETE FROM note WHERE account_id = \(person)")
    }

    static func add(_ words: String, of person: PersonID, to database: Database) async throws {
        try await database.write { tx in
            try tx.execute("INSERT INTO note (account_id, words) VALUES (\(person), \(words))")
        }
    }
}

/// A file that is generated while it is read.
private struct Lines: AsyncSequence {
    let count: Int

    func makeAsyncIterator() -> Iterator { Iterator(left: count) }

    struct Iterator: AsyncIteratorProtocol {
        var left: Int

        mutating func next() async throws -> [UInt8]? {
            guard left > 0 else { return nil }
            left -= 1
            return Array("line \(left)\n".utf8)
        }
    }
}

func withNotes(_ engine: Engine, _ body: (AccountsFixture) async throws -> Void) async throws {
    try await withDatabase(engine, migrations: accountTables + Notes.migrations) { database in
        try await body(AccountsFixture(database, dataHandlers: [Notes()]))
    }
}
