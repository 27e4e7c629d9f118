import Accounts
import Kernel
import Pictures
import TestSupport
import Testing

@testable import Storage

@Suite("Migration of old databases")
struct OldDatabaseTests {
    private static let old = PictureLibrary.migrations + AccountServices.migrations.prefix(1) + Notes.migrations
    private static let new = accountTables + Notes.migrations
    private static let tables = [
        "account", "session", "throttle", "password_reset", "email_verification", "note", "picture",
    ]

    private struct Table: Equatable {
        let name: String
        let rows: [String]
    }

    private func open(_ url: DatabaseURL, _ migrations: [Migration]) async throws -> Database {
        try await Database.open(url, migrations: migrations, logger: .silent, clock: TestClock())
    }

    /// Returns every column of every row, as text.
    private func content(_ database: Database) async throws -> [Table] {
        try await database.read { tx in
            try Self.tables.map { name in
                let rows: [Row] =
                    switch name {
                    case "account":
                        try tx.rows(
                            """
                            SELECT id, role, email, email_key, email_verified_at, password, name, phone, date_of_birth,
                                theme, avatar_picture_id, maps_app, language, is_operator, version, created_at
                            FROM account ORDER BY id
                            """
                        )
                    case "session":
                        try tx.rows(
                            """
                            SELECT id, account_id, token_hash, kind, name, signed_in_by, created_at, last_used_at
                            FROM session ORDER BY id
                            """
                        )
                    case "throttle": try tx.rows("SELECT * FROM throttle ORDER BY key")
                    case "password_reset":
                        try tx.rows("SELECT code_hash, account_id, expires_at FROM password_reset ORDER BY code_hash")
                    case "email_verification": try tx.rows("SELECT * FROM email_verification ORDER BY code_hash")
                    case "note": try tx.rows("SELECT * FROM note ORDER BY account_id, words")
                    default: try tx.rows("SELECT * FROM picture ORDER BY id")
                    }
                return Table(name: name, rows: rows.map { "\($0.values)" })
            }
        }
    }

    /// Inserts two people with all the data that an account can have.
    private func fill(_ url: DatabaseURL) async throws -> [Table] {
        let database = try await open(url, Self.old)
        let random = SeededRandom()
        let mia = PersonID(at: TestClock().now, random: random)
        let ben = PersonID(at: TestClock().now, random: random)
        let picture = ID<Picture>(at: TestClock().now, random: random)
        try await database.write { tx in
            try tx.execute(
                """
                INSERT INTO picture (id, owner_id, width, height, media_type, digest, created_at)
                VALUES (\(picture), \(mia), 4, 3, 'image/jpeg', \([UInt8](repeating: 7, count: 32)), 5)
                """
            )
            try tx.execute(
                """
                INSERT INTO account (
                    id, role, email, email_key, email_verified_at, password, name, phone, date_of_birth, theme,
                    avatar_picture_id, maps_app, language, is_operator, version, created_at
                ) VALUES (
                    \(mia), 'adult', 'Mia@Example.org', 'mia@example.org', 9, 'hash', '🦊 מיה', '+49151234567',
                    '1990-02-28', 'ocean', \(picture), 'google', 'de', 1, 17, 3
                )
                """
            )
            try tx.execute(
                """
                INSERT INTO account (id, role, email, email_key, name, theme, created_at)
                VALUES (\(ben), 'adult', 'ben@example.org', 'ben@example.org', 'Ben', 'standard', 4)
                """
            )
            for (person, number) in [(mia, UInt8(1)), (mia, 2), (ben, 3)] {
                let hash = [UInt8](repeating: number, count: 32)
                try tx.execute(
                    """
                    INSERT INTO session (id, account_id, token_hash, kind, name, signed_in_by, created_at, last_used_at)
                    VALUES (\(ID<Session>(at: TestClock().now, random: random)), \(person), \(hash), 'cookie',
                        'Chrome on Android', 'password', 3, 4)
                    """
                )
                try tx.execute(
                    "INSERT INTO password_reset (code_hash, account_id, expires_at) VALUES (\(hash), \(person), 99)")
                try tx.execute(
                    """
                    INSERT INTO email_verification (code_hash, account_id, email_key, expires_at)
                    VALUES (\(hash), \(person), 'mia@example.org', 99)
                    """
                )
                try tx.execute("INSERT INTO note (account_id, words) VALUES (\(person), \("note \(Int(number))"))")
            }
            try tx.execute("INSERT INTO throttle (key, failures, expires_at) VALUES ('sign-in-email ben', '1,2', 77)")
        }
        let content = try await content(database)
        await database.close()
        return content
    }

    @Test("A database of the first version is migrated without data loss", arguments: Engine.allCases)
    func keepsEverything(engine: Engine) async throws {
        try await withDatabaseURL(engine) { url in
            let before = try await fill(url)
            #expect(before.allSatisfy { !$0.rows.isEmpty })
            let database = try await open(url, Self.new)
            #expect(try await content(database) == before)
            try await database.write { tx in
                try tx.execute("DELETE FROM note")
                try tx.execute("DELETE FROM account WHERE name = 'Ben'")
            }
            let left = try await database.read { tx in
                try ["session", "password_reset", "email_verification"].map { name -> Int in
                    let rows: [Row] =
                        switch name {
                        case "session": try tx.rows("SELECT id FROM session")
                        case "password_reset": try tx.rows("SELECT account_id FROM password_reset")
                        default: try tx.rows("SELECT account_id FROM email_verification")
                        }
                    return rows.count
                }
            }
            #expect(left == [2, 2, 2])
            await database.close()
        }
    }

    struct RowCase: Sendable, CustomTestStringConvertible {
        let role: String
        let email: String?
        let password: String?
        let isTaken: Bool
        var testDescription: String { "\(role) \(email ?? "-") \(password ?? "-")" }
    }

    private static let rowCases = [
        RowCase(role: "adult", email: nil, password: nil, isTaken: true),
        RowCase(role: "child", email: nil, password: nil, isTaken: true),
        RowCase(role: "child", email: "a@example.org", password: nil, isTaken: false),
        RowCase(role: "child", email: nil, password: "hash", isTaken: false),
        RowCase(role: "robot", email: nil, password: nil, isTaken: false),
    ]

    @Test("Proofs survive the migration, and proofs for later acts are accepted", arguments: Engine.allCases)
    func proofs(engine: Engine) async throws {
        try await withDatabaseURL(engine) { url in
            _ = try await fill(url)
            let before = accountTables.prefix { $0.name != "0011-erasure-proofs" } + Notes.migrations
            var database = try await open(url, Array(before))
            let insert: @Sendable (String, Transaction) throws -> Void = { act, tx in
                try tx.execute(
                    "INSERT INTO proof (session_id, act, expires_at) SELECT MIN(id), \(act), 77 FROM session")
            }
            try await database.write { tx in try insert("export", tx) }
            await database.close()
            database = try await open(url, Self.new)
            #expect(try await database.count("proof WHERE act = 'export' AND expires_at = 77") == 1)
            for act in SensitiveAct.allCases where act != .export {
                try await database.write { tx in try insert(act.rawValue, tx) }
            }
            let opened = database
            await #expect(throws: StorageError.self) { try await opened.write { tx in try insert("other", tx) } }
            // A proof is deleted with its session.
            try await database.write { tx in try tx.execute("DELETE FROM session") }
            #expect(try await database.count("proof") == 0)
            await database.close()
        }
    }

    @Test("After the migration, children and adults without an email are accepted", arguments: Engine.allCases)
    func constraints(engine: Engine) async throws {
        try await withDatabaseURL(engine) { url in
            _ = try await fill(url)
            let database = try await open(url, Self.new)
            let random = SeededRandom(seed: 3)
            for example in Self.rowCases {
                let id = PersonID(at: TestClock().now, random: random)
                var isTaken = true
                do {
                    try await database.write { tx in
                        try tx.execute(
                            """
                            INSERT INTO account (id, role, email, email_key, password, name, theme, created_at)
                            VALUES (\(id), \(example.role), \(example.email), \(example.email), \(example.password),
                                'X', 'standard', 1)
                            """
                        )
                    }
                } catch StorageError.checkViolation {
                    isTaken = false
                }
                #expect(isTaken == example.isTaken, "\(example.testDescription)")
            }
            for (means, isTaken) in [("code", true), ("provider", true), ("passkey", true), ("magic", false)] {
                let isIn = try await signIn(by: means, in: database, random: random)
                #expect(isIn == isTaken, "\(means)")
            }
            await database.close()
        }
    }

    private func signIn(by means: String, in database: Database, random: SeededRandom) async throws -> Bool {
        let id = ID<Session>(at: TestClock().now, random: random)
        let hash = random.bytes(32)
        do {
            try await database.write { tx in
                try tx.execute(
                    """
                    INSERT INTO session (id, account_id, token_hash, kind, name, signed_in_by, created_at, last_used_at)
                    SELECT \(id), id, \(hash), 'cookie', 'X', \(means), 1, 1 FROM account WHERE name = 'Ben'
                    """
                )
            }
            return true
        } catch StorageError.checkViolation {
            return false
        }
    }
}
