import Kernel
import Storage
import TestSupport
import Testing

@Suite("Migrations that rebuild a table")
struct RebuildTests {
    private static let first = Migration(
        module: "sample", name: "0001-boxes",
        sql: """
            CREATE TABLE box (
                id {text} PRIMARY KEY,
                label {text} NOT NULL,
                weight {integer} CHECK (weight > 0)
            ) {strict};
            CREATE INDEX box_label ON box (label);
            CREATE TABLE slip (
                box_id {text} NOT NULL REFERENCES box(id) ON DELETE CASCADE,
                note {text} NOT NULL
            ) {strict}
            """
    )
    private static let rebuild = Migration(
        module: "sample", name: "0002-no-label",
        rebuildingOnSQLite: """
            CREATE TABLE box_new (
                id {text} PRIMARY KEY,
                label {text},
                weight {integer} CHECK (weight > 0)
            ) {strict};
            INSERT INTO box_new (id, label, weight) SELECT id, label, weight FROM box;
            DROP TABLE box;
            ALTER TABLE box_new RENAME TO box;
            CREATE INDEX box_label ON box (label)
            """,
        alteringOnPostgres: "ALTER TABLE box ALTER COLUMN label DROP NOT NULL"
    )
    private static let forgetful = Migration(
        module: "sample", name: "0003-forgetful",
        rebuildingOnSQLite: """
            CREATE TABLE box_new (id {text} PRIMARY KEY, label {text}) {strict};
            INSERT INTO box_new (id, label) SELECT id, label FROM box WHERE id <> 'b';
            DROP TABLE box;
            ALTER TABLE box_new RENAME TO box
            """,
        alteringOnPostgres: """
            ALTER TABLE slip DROP CONSTRAINT slip_box_id_fkey;
            DELETE FROM box WHERE id = 'b';
            ALTER TABLE slip ADD CONSTRAINT slip_box_id_fkey FOREIGN KEY (box_id) REFERENCES box(id)
            """
    )

    private func open(_ url: DatabaseURL, _ migrations: [Migration]) async throws -> Database {
        try await Database.open(url, migrations: migrations, logger: .silent, clock: TestClock(Samples.now))
    }

    private func fill(_ url: DatabaseURL) async throws {
        let old = try await open(url, [Self.first])
        try await old.write { tx in
            for id in ["a", "b"] {
                try tx.execute("INSERT INTO box (id, label, weight) VALUES (\(id), \("box \(id)"), 3)")
                try tx.execute("INSERT INTO slip (box_id, note) VALUES (\(id), \("on \(id)"))")
            }
        }
        await old.close()
    }

    private func content(_ database: Database) async throws -> [String] {
        try await database.read { tx in
            let boxes: [String] = try tx.rows("SELECT label FROM box WHERE label IS NOT NULL ORDER BY id").map {
                try $0.get("label")
            }
            let slips: [String] = try tx.rows("SELECT note FROM slip ORDER BY note").map { try $0.get("note") }
            return boxes + slips
        }
    }

    @Test("A rebuild keeps all rows and enforces foreign keys again", arguments: Engine.allCases)
    func keeps(engine: Engine) async throws {
        try await withDatabaseURL(engine) { url in
            try await fill(url)
            let new = try await open(url, [Self.first, Self.rebuild])
            #expect(try await content(new) == ["box a", "box b", "on a", "on b"])
            try await new.write { tx in try tx.execute("INSERT INTO box (id, weight) VALUES ('c', 1)") }
            await #expect(throws: StorageError.self) {
                try await new.write { tx in
                    try tx.execute("INSERT INTO slip (box_id, note) VALUES ('x', 'lost')")
                }
            }
            await #expect(throws: StorageError.self) {
                try await new.write { tx in try tx.execute("INSERT INTO box (id, weight) VALUES ('d', 0)") }
            }
            try await new.write { tx in try tx.execute("DELETE FROM box WHERE id = 'a'") }
            #expect(try await content(new).contains("on a") == false)
            let indexes: Int? = try await new.read { tx in
                let sql: SQL =
                    engine == .sqlite
                    ? "SELECT COUNT(*) AS n FROM sqlite_schema WHERE type = 'index' AND name = 'box_label'"
                    : "SELECT COUNT(*) AS n FROM pg_indexes WHERE indexname = 'box_label'"
                return try tx.row(sql)?.get("n")
            }
            #expect(indexes == 1)
            await new.close()
            await (try await open(url, [Self.first, Self.rebuild])).close()
        }
    }

    @Test("A rebuild that leaves a dangling reference fails and changes nothing", arguments: Engine.allCases)
    func dangling(engine: Engine) async throws {
        try await withDatabaseURL(engine) { url in
            try await fill(url)
            let error = await #expect(throws: StorageError.self) {
                try await open(url, [Self.first, Self.rebuild, Self.forgetful])
            }
            if case .foreignKeyViolation = error {} else { Issue.record("refused with \(String(describing: error))") }
            let old = try await open(url, [Self.first])
            #expect(try await content(old) == ["box a", "box b", "on a", "on b"])
            await #expect(throws: StorageError.self) {
                try await old.write { tx in try tx.execute("INSERT INTO box (id) VALUES ('c')") }
            }
            await old.close()
        }
    }

    @Test("On a new database a rebuild is applied like other migrations", arguments: Engine.allCases)
    func fresh(engine: Engine) async throws {
        try await withDatabaseURL(engine) { url in
            let database = try await open(url, [Self.first, Self.rebuild])
            try await database.write { tx in try tx.execute("INSERT INTO box (id) VALUES ('a')") }
            await database.close()
        }
    }

    @Test("A restore rebuilds the table of an older backup")
    func restored() async throws {
        let folder = try TemporaryFolder()
        let url = DatabaseURL.sqlite(path: folder.file("homeward.sqlite"))
        try await fill(url)
        let old = try await open(url, [Self.first])
        try await old.backup(to: folder.file("backup.sqlite"))
        await old.close()
        let new = try await open(url, [Self.first, Self.rebuild])
        try await new.write { tx in try tx.execute("DELETE FROM box") }
        _ = try await new.restore(from: folder.file("backup.sqlite"))
        #expect(try await content(new) == ["box a", "box b", "on a", "on b"])
        try await new.write { tx in try tx.execute("INSERT INTO box (id) VALUES ('c')") }
        await new.close()
    }

    @Test("Processes that start at once rebuild the table once", arguments: Engine.allCases)
    func concurrent(engine: Engine) async throws {
        try await withDatabaseURL(engine) { url in
            try await fill(url)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<4 {
                    group.addTask { await (try await open(url, [Self.first, Self.rebuild])).close() }
                }
                try await group.waitForAll()
            }
            let database = try await open(url, [Self.first, Self.rebuild])
            #expect(try await content(database) == ["box a", "box b", "on a", "on b"])
            await database.close()
        }
    }

    @Test("The digest includes the statements of both engines")
    func digest() {
        let other = Migration(
            module: "sample", name: "0002-no-label", rebuildingOnSQLite: Self.rebuild.sql,
            alteringOnPostgres: "ALTER TABLE box ALTER COLUMN label SET NOT NULL"
        )
        #expect(other.digest != Self.rebuild.digest)
    }
}
