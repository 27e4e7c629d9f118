import Foundation
import Kernel
@testable import Storage
import TestSupport
import Testing

@Suite("Migrations")
struct MigrationTests {
    private static let first = Migration(
        module: "sample", name: "0001-box", sql: "CREATE TABLE box (id {text} PRIMARY KEY) {strict};"
    )
    private static let second = Migration(
        module: "sample", name: "0002-label",
        sql: """
            ALTER TABLE box ADD COLUMN label {text} NOT NULL DEFAULT ';';
            UPDATE box SET label = 'old';
            """
    )

    private func open(_ url: DatabaseURL, _ migrations: [Migration]) async throws -> Database {
        try await Database.open(url, migrations: migrations, logger: .silent, clock: TestClock(Samples.now))
    }

    private func files(beside url: DatabaseURL) throws -> [String] {
        let path = String(url.description.dropFirst("sqlite:".count))
        let folder = (path as NSString).deletingLastPathComponent
        return try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.contains("backup") }.sorted()
    }

    @Test("Migrations are applied once and in order, with their digest and time", arguments: Engine.allCases)
    func applied(engine: Engine) async throws {
        try await withDatabaseURL(engine) { url in
            for _ in 1...2 {
                let database = try await open(url, [Self.first, Self.second])
                let rows = try await database.read { tx in
                    try tx.rows("SELECT * FROM schema_migration WHERE module = 'sample' ORDER BY name")
                }
                #expect(try rows.map { try $0.get("name") } == ["0001-box", "0002-label"])
                #expect(try rows.map { try $0.get("digest") } == [Self.first.digest, Self.second.digest])
                #expect(try rows.map { try $0.get("applied_at") } == [Samples.now, Samples.now])
                await database.close()
            }
            if engine == .sqlite { #expect(try files(beside: url).isEmpty) }
        }
    }

    @Test("An older schema is migrated after a backup of the file", arguments: Engine.allCases)
    func older(engine: Engine) async throws {
        try await withDatabaseURL(engine) { url in
            let old = try await open(url, [Self.first])
            try await old.write { tx in try tx.execute("INSERT INTO box (id) VALUES ('a')") }
            await old.close()
            let new = try await open(url, [Self.first, Self.second])
            let label: String? = try await new.read { tx in try tx.row("SELECT label FROM box")?.get("label") }
            #expect(label == "old")
            await new.close()
            guard engine == .sqlite else { return }
            let copies = try files(beside: url)
            #expect(copies == ["homeward.sqlite.backup-before-sample-0002-label"])
            let copy = try await open(try DatabaseURL("\(url).backup-before-sample-0002-label"), [Self.first])
            try await Samples.expectBoxes(["a"], in: copy)
            await copy.close()
        }
    }

    @Test("The newest copies from before migrations are kept, up to a limit")
    func copies() async throws {
        try await withDatabaseURL(.sqlite) { url in
            let more = (1...Limits.storeCopies + 3).map { number in
                Migration(
                    module: "more", name: "\(number)", sql: "CREATE TABLE more_\(number) (id {integer}) {strict};")
            }
            for count in 0...more.count {
                let database = try await open(url, [Self.first] + more.prefix(count))
                await database.close()
            }
            let kept = try files(beside: url)
            #expect(kept == (4...Limits.storeCopies + 3).map { "homeward.sqlite.backup-before-more-\($0)" })
        }
    }

    @Test("A schema that is newer than the program is rejected unchanged", arguments: Engine.allCases)
    func newer(engine: Engine) async throws {
        try await withDatabaseURL(engine) { url in
            await (try await open(url, [Self.first, Self.second])).close()
            let error = await #expect(throws: StorageError.self) { try await open(url, [Self.first]) }
            #expect(error == .schemaNewer(["sample/0002-label"]))
            #expect(error?.description.contains("newer version") == true)
            await (try await open(url, [Self.first, Self.second])).close()
        }
    }

    @Test("A migration that was edited after it was applied is rejected", arguments: Engine.allCases)
    func edited(engine: Engine) async throws {
        try await withDatabaseURL(engine) { url in
            await (try await open(url, [Self.first])).close()
            let edited = Migration(module: "sample", name: "0001-box", sql: Self.first.sql + " ")
            await #expect(throws: StorageError.migrationChanged("sample/0001-box")) { try await open(url, [edited]) }
        }
    }

    @Test("A failed migration leaves the schema unchanged", arguments: Engine.allCases)
    func failing(engine: Engine) async throws {
        let broken = Migration(
            module: "sample", name: "0002-broken",
            sql: """
                CREATE TABLE lid (id {text} PRIMARY KEY) {strict};
                INSERT INTO box (id) VALUES ('a');
                INSERT INTO box (id) VALUES ('a');
                """
        )
        try await withDatabaseURL(engine) { url in
            await (try await open(url, [Self.first])).close()
            await #expect(throws: StorageError.self) { try await open(url, [Self.first, broken]) }
            let database = try await open(url, [Self.first, Self.second])
            try await Samples.expectBoxes([], in: database)
            await #expect(throws: StorageError.self) {
                try await database.read { tx in try tx.rows("SELECT * FROM lid") }
            }
            await database.close()
        }
    }

    @Test("Two migrations of the same name are rejected", arguments: Engine.allCases)
    func twice(engine: Engine) async throws {
        try await withDatabaseURL(engine) { url in
            await #expect(throws: StorageError.migrationList("sample/0001-box stands there twice")) {
                try await open(url, [Self.first, Self.first])
            }
        }
    }

    @Test("Processes that start at once apply each migration once", arguments: Engine.allCases)
    func concurrent(engine: Engine) async throws {
        try await withDatabaseURL(engine) { url in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<6 {
                    group.addTask {
                        let database = try await open(url, [Self.first, Self.second])
                        try await database.write { tx in
                            try tx.execute("INSERT INTO box (id) VALUES (\("\(number)"))")
                        }
                        await database.close()
                    }
                }
                try await group.waitForAll()
            }
            let database = try await open(url, [Self.first, Self.second])
            #expect(try await Samples.boxes(database).count == 6)
            await database.close()
        }
    }

    @Test("A file that isn't Homeward's is rejected unchanged")
    func fileOfAnotherProgram() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("notes.txt")
        let text = Data(String(repeating: "Not a database. ", count: 100).utf8)
        try text.write(to: URL(fileURLWithPath: path))
        await #expect(throws: StorageError.self) { try await open(.sqlite(path: path), [Self.first]) }
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == text)

        let other = DatabaseURL.sqlite(path: folder.file("other.sqlite"))
        let database = try await open(other, [Self.first])
        try await database.write { tx in try tx.execute("PRAGMA application_id = 17") }
        await database.close()
        await #expect(throws: StorageError.self) { try await open(other, [Self.first, Self.second]) }
    }

    @Test("A missing folder is created, and a database that can't be opened throws")
    func places() async throws {
        let folder = try TemporaryFolder()
        await (try await open(.sqlite(path: folder.file("a/b/homeward.sqlite")), [Self.first])).close()
        await #expect(throws: StorageError.self) { try await open(.sqlite(path: folder.path), [Self.first]) }
        let nowhere = try DatabaseURL("postgres://homeward@%2Fnowhere/homeward?connect_timeout=2")
        await #expect(throws: StorageError.self) { try await open(nowhere, [Self.first]) }
    }

    @Test("Placeholders are replaced for each engine, and statements are separated")
    func translation() {
        let migration = Migration(
            module: "m", name: "1",
            sql: """
                CREATE TABLE t (
                    n {serial}, a {integer}, b {real}, c {text}, d {blob}
                ) {strict};

                CREATE TABLE u (a {integer} PRIMARY KEY) {strict-rowless};
                INSERT INTO u VALUES (1)
                """
        )
        let sqlite = migration.statements(for: .sqlite)
        #expect(sqlite.count == 3)
        #expect(sqlite[0].contains("n INTEGER PRIMARY KEY AUTOINCREMENT, a INTEGER, b REAL, c TEXT, d BLOB\n) STRICT;"))
        #expect(sqlite[1] == "CREATE TABLE u (a INTEGER PRIMARY KEY) STRICT, WITHOUT ROWID;")
        let postgres = migration.statements(for: .postgres)
        #expect(
            postgres[0].contains(
                "n BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, a BIGINT, b DOUBLE PRECISION, "
                    + "c TEXT COLLATE \"C\", d BYTEA"
            )
        )
        #expect(postgres[1] == "CREATE TABLE u (a BIGINT PRIMARY KEY) ;")
        #expect(postgres[2] == "INSERT INTO u VALUES (1)")
    }

    @Test("The migrations of Storage are frozen")
    func frozen() {
        let digests = Migration.storage.map { "\($0.title) \($0.digest)" }
        #expect(
            digests == [
                "storage/0001-outbox ef25208c4eaeba16af05f07477c89d11a4a40297a6c6649c313291b6587c8bc4",
                "storage/0002-outbox-base 1f3f19bdf587f447ca2617f79bbba5ed9d3a7d8a0ad8c9aaab0ba3a30bfe70b3",
                "storage/0003-idempotency 9218f4b1bf23f796e64c8ec629a09c515db20cad5d05db7a4f55557769e49bd5",
                "storage/0004-key-fingerprints 32c8c7eeaf458301e6e437c5ec1262ef01b924df9e22ba6cf15c8f99a67dea8e",
                "storage/0005-outbox-timeline cfa736c12a15a29883e9ce29d986dd2ec291c5b85eefa3a58996555c844066d2",
                "storage/0006-audiences-and-ages 0c9c96211021878f77bc05919eddb6cd11c3ba1bdb74c2b18c71734597d6eb1e",
                "storage/0007-no-checks-in-postgres 5657e35f18de9be0f5371929cfe7648485ba11c4095980ddd1ced51c01668230",
            ]
        )
    }

    @Test("A digest is SHA-256 in hexadecimal")
    func digest() {
        // FIPS 180-2, B.1.
        #expect(
            Migration(module: "m", name: "1", sql: "abc").digest
                == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        )
    }
}
