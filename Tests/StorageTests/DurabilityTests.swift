import Foundation
import Kernel
import Logging
import Storage
import Synchronization
import TestSupport
import Testing

@Suite("Settings for durability")
struct DurabilityTests {
    @Test("SQLite's writer flushes each commit, keeps a write-ahead log and enforces foreign keys")
    func sqlite() async throws {
        try await withSamples(.sqlite) { database in
            let settings = try await database.write { tx in
                let names: [(String, SQL)] = [
                    ("synchronous", "PRAGMA synchronous"), ("foreign_keys", "PRAGMA foreign_keys"),
                    ("journal_mode", "PRAGMA journal_mode"), ("application_id", "PRAGMA application_id"),
                ]
                return try names.map { name, sql in try tx.row(sql)?.get(name, as: SQLValue.self) }
            }
            #expect(settings == [.integer(2), .integer(1), .text("wal"), .integer(0x484d_5744)])
            let reader = try await database.read { tx in
                try tx.row("PRAGMA foreign_keys")?.get("foreign_keys", as: Int.self)
            }
            #expect(reader == 1)
        }
    }

    @Test("Only the owner can read the database file")
    func permissions() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("homeward.sqlite")
        let database = try await Database.open(
            .sqlite(path: path), migrations: Samples.migrations, logger: .silent, clock: TestClock()
        )
        try await database.write { tx in try Samples.addBox("a", in: tx) }
        for suffix in ["", "-wal", "-shm"] {
            let attributes = try FileManager.default.attributesOfItem(atPath: path + suffix)
            #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
        }
        await database.close()
    }

    @Test("PostgreSQL's connections flush each commit and run as READ COMMITTED")
    func postgres() async throws {
        try await withSamples(.postgres) { database in
            let settings = try await database.write { tx in
                let names: [(String, SQL)] = [
                    ("synchronous_commit", "SHOW synchronous_commit"), ("fsync", "SHOW fsync"),
                    ("transaction_isolation", "SHOW transaction_isolation"), ("lock_timeout", "SHOW lock_timeout"),
                    ("statement_timeout", "SHOW statement_timeout"),
                    ("idle_in_transaction_session_timeout", "SHOW idle_in_transaction_session_timeout"),
                ]
                return try names.map { name, sql in try tx.row(sql)?.get(name, as: String.self) }
            }
            #expect(
                settings == [
                    "on", "on", "read committed", "\(Limits.databaseLockSeconds)s",
                    "\(Limits.databaseStatementMilliseconds / 1_000)s", "\(Limits.databaseIdleTransactionSeconds)s",
                ])
        }
    }

    @Test("Rows read for update can't change before the transaction ends", arguments: Engine.allCases)
    func lostUpdates(engine: Engine) async throws {
        let changes = 25
        try await withSamples(engine) { database in
            try await database.write { tx in try Samples.addBox("a", in: tx) }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<changes {
                    group.addTask {
                        try await database.write { tx in
                            let row = try tx.row("SELECT count FROM box WHERE id = 'a' \(sql: tx.forUpdate)")
                            let count: Int = try row?.get("count") ?? 0
                            try tx.execute("UPDATE box SET count = \(count + 1) WHERE id = 'a'")
                        }
                    }
                }
                try await group.waitForAll()
            }
            let count: Int? = try await database.read { tx in try tx.row("SELECT count FROM box")?.get("count") }
            #expect(count == changes)
        }
    }
}
