import Foundation
import Kernel
import TestSupport
import Testing

@testable import Storage

@Suite("Backups between SQLite and PostgreSQL")
struct EngineChangeTests {
    /// A reference to a table that comes later in the alphabet, to itself, and in a circle.
    private static let references = Migration(
        module: "sample", name: "0002-references",
        sql: """
            CREATE TABLE aisle (
                id {integer} PRIMARY KEY,
                parent {integer} REFERENCES aisle(id),
                box_id {text} REFERENCES box(id),
                "order" {integer}
            ) {strict};
            INSERT INTO aisle (id) VALUES (1);
            """)
    private static let migrations = Samples.migrations + [references]

    private static func fill(_ database: Database) async throws {
        try await database.write { tx in
            try tx.execute("DELETE FROM aisle")
            let texts = [
                "", "line\nbreak\r\t\\N \\", "ünïcödé 👩‍👩‍👧 \u{1F3FD}", "NULL", String(repeating: "long ", count: 40),
            ]
            let reals: [Double?] = [nil, -0.0, .leastNonzeroMagnitude, -Double.greatestFiniteMagnitude, 0.1]
            let blobs: [[UInt8]?] = [[], nil, Array(0...255), [0], [UInt8](repeating: 0x5c, count: 300_000)]
            let counts: [Int64] = [0, .max, 1, 2, 3]
            for (index, text) in texts.enumerated() {
                try tx.execute(
                    """
                    INSERT INTO box (id, label, weight, content, count)
                    VALUES (\("b\(index)"), \(text), \(reals[index]), \(blobs[index]), \(counts[index]))
                    """)
            }
            for number in 1...1_200 {
                let parent: Int? = number < 1_200 ? number + 1 : nil
                try tx.execute("INSERT INTO aisle (id) VALUES (\(number))")
                if number > 1 { try tx.execute("UPDATE aisle SET parent = \(number) WHERE id = \(number - 1)") }
                if parent == nil { try tx.execute("UPDATE aisle SET box_id = 'b1' WHERE id = \(number)") }
            }
            for value in [Int64.min, -1, .max] {
                try tx.execute("INSERT INTO shelf (floor, place, label) VALUES (\(value), \(value), 'x')")
            }
            for note in ["first", "second", "third"] {
                try tx.execute("INSERT INTO slip (box_id, note) VALUES ('b0', \(note))")
            }
            try tx.execute("INSERT INTO slip (box_id, note) VALUES ('b0', NULL)")
            try tx.execute("DELETE FROM slip WHERE note IS NULL")
            try tx.publish(Samples.event(1))
        }
    }

    private static func tables() async throws -> [ContentTable] {
        try await withDatabase(.sqlite, migrations: migrations) { database in
            try await database.read { try ContentTable.all(in: $0) }
        }
    }

    /// All rows of all tables as one sorted text for each table.
    private static func content(_ database: Database) async throws -> [String: [String]] {
        let tables = try await tables()
        return try await database.read { tx in
            var content: [String: [String]] = [:]
            for table in tables { content[table.name] = try tx.rows(table.select).map { "\($0.values)" }.sorted() }
            return content
        }
    }

    @Test("SQLite to PostgreSQL to SQLite gives back every row of every table")
    func roundTrip() async throws {
        let folder = try TemporaryFolder()
        let (first, second) = (folder.file("first.sqlite"), folder.file("second.sqlite"))
        let original = try await withDatabase(.sqlite, migrations: Self.migrations) { database in
            try await Self.fill(database)
            try await database.backup(to: first)
            return try await Self.content(database)
        }
        #expect(original.keys.sorted() == ["aisle", "box", "idempotency", "key_fingerprint", "shelf", "slip"])
        #expect(original["aisle"]?.count == 1_200)
        try await withDatabase(.postgres, migrations: Self.migrations) { database in
            let copy = try await database.restore(from: first)
            // Migrations inserted a row.
            #expect(copy != nil)
            let restored = try await Self.content(database)
            #expect(restored == original)
            try await database.write { tx in
                let row = try tx.row("INSERT INTO slip (box_id) VALUES ('b0') RETURNING number")
                #expect(try row?.get("number") == 5, "a number of a deleted row isn't used again")
                try tx.execute("DELETE FROM slip WHERE number = 5")
            }
            await #expect(throws: StorageError.self) {
                try await database.write { try $0.execute("INSERT INTO aisle (id, box_id) VALUES (-1, 'none')") }
            }
            try await database.backup(to: second)
        }
        let summary = try await DatabaseFile(path: second).inspect()
        #expect(summary.rows == original.mapValues(\.count))
        try await withDatabase(.sqlite, migrations: Self.migrations) { database in
            _ = try await database.restore(from: second)
            let restored = try await Self.content(database)
            #expect(restored == original)
            let row = try await database.write { tx in
                try tx.row("INSERT INTO slip (box_id) VALUES ('b0') RETURNING number")
            }
            #expect(try row?.get("number") == 6)
        }
    }

    @Test("Each table of PostgreSQL is in a backup, except those that a database writes itself")
    func tablesAreComplete() async throws {
        try await withDatabase(.postgres, migrations: Self.migrations) { database in
            let all = try await database.read { tx in
                try tx.rows("SELECT tablename::text AS name FROM pg_tables WHERE schemaname = current_schema()")
                    .map { try $0.get("name", as: String.self) }
            }
            let copied = try await Self.tables().map(\.name)
            #expect(Set(all).subtracting(copied) == ["schema_migration", "outbox", "outbox_base"])
            #expect(Set(copied).isSubset(of: all))
        }
    }

    @Test("A snapshot of PostgreSQL is consistent while rows are added", .timeLimit(.minutes(5)))
    func snapshot() async throws {
        let folder = try TemporaryFolder()
        try await withDatabase(.postgres, migrations: Self.migrations) { database in
            let writer = Task {
                var number = 0
                while !Task.isCancelled {
                    let id = "w\(number)"
                    try await database.write { tx in
                        try Samples.addBox(id, in: tx)
                        try tx.execute("INSERT INTO slip (box_id) VALUES (\(id))")
                    }
                    number += 1
                }
            }
            for number in 1...3 { try await database.backup(to: folder.file("\(number).sqlite")) }
            writer.cancel()
            try await writer.value
            await #expect(throws: StorageError.self) { try await database.backup(to: folder.file("1.sqlite")) }
        }
        for number in 1...3 {
            let summary = try await DatabaseFile(path: folder.file("\(number).sqlite")).inspect()
            #expect(summary.rows["box"] == summary.rows["slip"])
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 3)
    }

    @Test("A restore to PostgreSQL that fails changes nothing", arguments: ["damaged", "newer", "refused"])
    func refused(reason: String) async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("backup.sqlite")
        let more = Migration(module: "sample", name: "0003-more", sql: "CREATE TABLE more (id {text}) {strict};")
        try await withDatabase(.sqlite, migrations: Self.migrations + (reason == "newer" ? [more] : [])) { database in
            try await Self.fill(database)
            try await database.backup(to: path)
        }
        if reason == "damaged" {
            var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
            bytes.replaceSubrange(4_096 * 20..<4_096 * 24, with: Data(repeating: 0x55, count: 4_096 * 4))
            try bytes.write(to: URL(fileURLWithPath: path))
        }
        try await withDatabase(.postgres, migrations: Self.migrations) { database in
            try await database.write { tx in try Samples.addBox("kept", in: tx) }
            await #expect(throws: (any Error).self) {
                try await database.restore(from: path) { tx in
                    if reason == "refused" { throw AppError(.invalid, "Refused.") }
                }
            }
            try await Samples.expectBoxes(["kept"], in: database)
            try await database.write { tx in
                try Samples.addBox("next", in: tx)
                try tx.execute("INSERT INTO slip (box_id) VALUES ('next')")
            }
        }
    }

    @Test("A restore to PostgreSQL migrates an older backup, keeps a copy, and running nodes see its events")
    func running() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("backup.sqlite")
        try await withDatabase(.sqlite, migrations: Samples.migrations) { database in
            try await database.write { tx in try Samples.addBox("old", in: tx) }
            try await database.backup(to: path)
        }
        try await withDatabase(.postgres, migrations: Self.migrations) { database in
            try await database.write { tx in
                try Samples.addBox("before", in: tx)
                try tx.publish(Samples.event(1))
            }
            let copy = try await database.restore(from: path, folder: folder.path) { tx in
                try tx.publish(Samples.event(2))
            }
            try await Samples.expectBoxes(["old"], in: database)
            #expect(try await database.count("aisle") == 1)
            #expect(try await database.events().map(\.version).contains(2))
            let kept = try await DatabaseFile(path: try #require(copy)).inspect()
            #expect(kept.rows["box"] == 1)
            _ = try await database.restore(from: try #require(copy), folder: folder.path)
            try await Samples.expectBoxes(["before"], in: database)
        }
    }
}
