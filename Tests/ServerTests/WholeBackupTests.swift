import Accounts
import Configuration
import Foundation
import Kernel
import Ledger
import Logging
import Objects
import Storage
import TestSupport
import Testing

@testable import Backups
@testable import Server

/// Backups of a whole server, restored to another data folder, on the same or the other engine.
@Suite("Backups of the whole server")
struct WholeBackupTests {
    private static func settings(
        _ url: DatabaseURL, _ folder: TemporaryFolder, _ more: [String: String] = [:]
    ) throws -> ServerSettings {
        var values = ["HOMEWARD_DATA": folder.path, "HOMEWARD_LISTEN": "127.0.0.1:0", "HOMEWARD_CURRENCY": "CHF"]
        values.merge(more) { $1 }
        return try ServerSettings(ConfigReader(provider: EnvironmentVariablesProvider(environmentVariables: values)))
            .with(database: url)
    }

    private static func with(
        _ url: DatabaseURL, _ folder: TemporaryFolder, _ more: [String: String] = [:], clock: TestClock = TestClock(),
        _ body: (Services) async throws -> Void
    ) async throws {
        let services = try await Services.open(
            try settings(url, folder, more), executable: "/nonexistent", clock: clock, logger: .silent,
            hasher: ScryptHasher(random: SystemRandom(), costExponent: 1))
        do {
            try await body(services)
        } catch {
            await services.close()
            throw error
        }
        await services.close()
    }

    private static func fill(_ services: Services) async throws {
        _ = try await services.accounts.administrators.create(
            email: "mia@example.org", name: "Mia", password: "correct horse 12")
        let outside = LedgerAccountKey(purpose: "outside", holder: "EUR")
        let wallet = LedgerAccountKey(purpose: "wallet", holder: "someone")
        let now = services.clock.now
        let transfer = Transfer(
            id: ID(at: now, random: services.random), kind: "top-up", at: now, amount: 500, from: outside, to: wallet)
        try await services.database.write { [ledger = services.ledger] tx in
            try ledger.open(outside, unit: "EUR", mayOverdraw: true, now: now, in: tx)
            try ledger.open(wallet, unit: "EUR", now: now, in: tx)
            try ledger.post(transfer, in: tx)
        }
        try await services.sealer.sealAll()
        try await services.objects.put([1, 2, 3], at: "pictures/a.jpg")
    }

    private static func key(_ folder: TemporaryFolder) throws -> BackupKey {
        try BackupKey.open(in: folder.path, random: SystemRandom()).key
    }

    private static func restore(
        _ source: RestoreService.Source, to url: DatabaseURL, _ folder: TemporaryFolder, key: BackupKey,
        replaces: Bool = false, _ more: [String: String] = [:]
    ) async throws -> RestoreService.Result {
        try await RestoreService(
            try settings(url, folder, more), executable: "/nonexistent", clock: TestClock(), logger: .silent
        ).restore(source, key: key, replaces: replaces)
    }

    private static func expectEverything(_ services: Services) async throws {
        let accounts = try await services.database.count("account")
        #expect(accounts == 1)
        let result = try await services.verifier.verify()
        #expect(result.findings.isEmpty)
        #expect(result.batches == 1)
        #expect(try await services.objects.get("pictures/a.jpg") == [1, 2, 3])
    }

    @Test(
        "A backup gives the whole server back on an empty machine, on the same and on the other engine",
        arguments: Engine.allCases, Engine.allCases)
    func everything(from: Engine, to: Engine) async throws {
        let (first, second) = (try TemporaryFolder(), try TemporaryFolder())
        let path = first.file("home.backup")
        try await withDatabaseURL(from, migrations: Services.migrations) { url in
            try await Self.with(url, first) { services in
                try await Self.fill(services)
                let manifest = try await BackupService(services).write(to: path, key: Self.key(first))
                #expect(manifest.rows["account"] == 1)
                let status = try await services.backupStatus.status()
                #expect(status.isOK)
                #expect(status.last?.rowCount == manifest.rowCount)
                #expect(status.ageSeconds(at: services.clock.now.adding(seconds: 60)) == 60)
            }
        }
        try await withDatabaseURL(to) { url in
            let result = try await Self.restore(.file(path), to: url, second, key: Self.key(first))
            #expect(result.hasNewKeys)
            #expect(result.ledgerProblem == nil)
            let text = try String(contentsOfFile: result.settingsFile, encoding: .utf8)
            #expect(text.contains("HOMEWARD_CURRENCY=CHF\n"))
            try await Self.with(url, second) { services in
                try await Self.expectEverything(services)
                #expect(try await services.backupStatus.runs().isEmpty)
                for file in KeyFile.allCases {
                    let restored = try DurableFile(second.file(file.name)).read(limit: 100)
                    #expect(try DurableFile(first.file(file.name)).read(limit: 100) == restored)
                }
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: second.file("scratch")).isEmpty)
        }
    }

    @Test(
        "Content with other keys is replaced only on request; the previous content and keys are kept",
        arguments: Engine.allCases)
    func replacement(engine: Engine) async throws {
        let (first, second) = (try TemporaryFolder(), try TemporaryFolder())
        let path = first.file("home.backup")
        try await withDatabaseURL(.sqlite, migrations: Services.migrations) { url in
            try await Self.with(url, first) { services in
                try await Self.fill(services)
                _ = try await BackupService(services).write(to: path, key: Self.key(first))
            }
        }
        try await withDatabaseURL(engine) { url in
            try await Self.with(url, second) { services in
                _ = try await services.accounts.administrators.create(
                    email: "ben@example.org", name: "Ben", password: "correct horse 12")
            }
            let before = try DurableFile(second.file("secret.key")).read(limit: 100)
            let error = await #expect(throws: SettingError.self) {
                try await Self.restore(.file(path), to: url, second, key: Self.key(first))
            }
            #expect(error?.description.contains("--replace") == true)
            try await Self.with(url, second) { services in
                let name = try await services.database.read { try $0.row("SELECT email FROM account") }
                #expect(try name?.get("email") == "ben@example.org")
            }
            let result = try await Self.restore(.file(path), to: url, second, key: Self.key(first), replaces: true)
            try await Self.with(url, second) { services in try await Self.expectEverything(services) }
            #expect(try DurableFile(second.file("secret.key.before-restore")).read(limit: 100) == before)
            let copy = try await DatabaseFile(path: try #require(result.previousCopy)).inspect()
            #expect(copy.rows["account"] == 1)
        }
    }

    @Test("A damaged backup, a wrong key and a failed write leave everything as it was")
    func refusals() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("home.backup")
        try await withDatabaseURL(.sqlite, migrations: Services.migrations) { url in
            try await Self.with(url, folder) { services in
                try await Self.fill(services)
                let backups = BackupService(services)
                _ = try await backups.write(to: path, key: Self.key(folder))
                var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
                bytes[bytes.count / 2] ^= 1
                try bytes.write(to: URL(fileURLWithPath: folder.file("changed.backup")))
                await #expect(throws: BackupError.self) {
                    try await Self.restore(
                        .file(folder.file("changed.backup")), to: url, folder, key: Self.key(folder))
                }
                let other = try BackupKey(bytes: [UInt8](repeating: 1, count: 32))
                await #expect(throws: BackupError.self) {
                    try await Self.restore(.file(path), to: url, folder, key: other)
                }
                await #expect(throws: BackupError.exists(path)) {
                    try await backups.write(to: path, key: Self.key(folder))
                }
                try await Self.expectEverything(services)
                #expect(try await services.backupStatus.status().isOK)
            }
        }
    }

    @Test("A ledger that isn't sound fails the proof, and the failure is recorded with its reason")
    func unsoundLedger() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("home.backup")
        try await withDatabaseURL(.sqlite, migrations: Services.migrations) { url in
            try await Self.with(url, folder) { services in
                try await Self.fill(services)
                try await services.database.write { try $0.execute("UPDATE ledger_posting SET amount = amount + 1") }
                await #expect(throws: BackupError.self) {
                    try await BackupService(services).write(to: path, key: Self.key(folder))
                }
                #expect(!FileManager.default.fileExists(atPath: path))
                let status = try await services.backupStatus.status()
                #expect(!status.isOK && status.lastProved == nil)
                #expect(status.last?.reason?.contains("ledger") == true)
            }
        }
    }

    @Test("Regular backups reuse objects, are listed, checked, restored and due again after the interval")
    func regular() async throws {
        let (folder, second, shelf) = (try TemporaryFolder(), try TemporaryFolder(), try TemporaryFolder())
        let more = ["HOMEWARD_BACKUPS": "folder:\(shelf.path)/backups", "HOMEWARD_BACKUP_HOURS": "6"]
        let clock = TestClock()
        try await withDatabaseURL(.sqlite, migrations: Services.migrations) { url in
            try await Self.with(url, folder, more, clock: clock) { services in
                try await Self.fill(services)
                let schedule = BackupSchedule(services)
                try await schedule.writeIfDue()
                try await schedule.writeIfDue()
                #expect(try await services.backupStatus.runs().count == 1)
                clock.advance(seconds: 6 * 60 * 60)
                try await services.objects.put([4, 5], at: "pictures/b.jpg")
                try await schedule.writeIfDue()
                let runs = try await services.backupStatus.runs()
                #expect(runs.map(\.result) == [.proved, .proved])
                #expect(runs.map(\.objectsCopied) == [1, 1])
                #expect(runs.map(\.objectsReused) == [1, 0])
                let backups = BackupService(services)
                let repository = try await backups.repository(key: Self.key(folder))
                let names = try await repository.names()
                #expect(names.count == 1, "two backups of one day, of which the newer one is kept")
                let latest = try #require(try await repository.latest())
                try await backups.checkAll(latest, in: repository)
            }
        }
        try await withDatabaseURL(.sqlite) { url in
            _ = try await Self.restore(.repository(nil), to: url, second, key: Self.key(folder), more)
            try await Self.with(url, second) { services in
                try await Self.expectEverything(services)
                #expect(try await services.objects.get("pictures/b.jpg") == [4, 5])
            }
        }
    }

    @Test("Temporary files of ended restores are removed, others stay")
    func leftovers() throws {
        let folder = try TemporaryFolder()
        let left = [
            "homeward.sqlite.restore-999999999", "restore-999999999.sqlite-wal",
            "postgres.backup-before-restore.999999999.part",
        ]
        let others = [
            "homeward.sqlite", "homeward.sqlite.backup-before-restore-2", "secret.key.restored",
            "homeward.sqlite.restore-\(getpid())",
        ]
        for name in left + others { try Data().write(to: URL(fileURLWithPath: folder.file(name))) }
        RestoreLeftovers.remove(in: folder.path)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == others.sorted())
    }

    @Test("A failed backup is due again after an hour, one that runs isn't")
    func due() throws {
        let now = Instant(millisecondsSince1970: 1_800_000_000_000)
        func run(_ result: BackupRun.Result, hoursAgo: Int64) -> BackupRun {
            let start = now.adding(seconds: -hoursAgo * 3_600)
            return BackupRun(
                id: ID(at: start, random: SeededRandom()), startedAt: start, seenAt: start, finishedAt: nil,
                destination: "", name: "n", result: result, reason: nil, byteCount: 0, rowCount: 0, objectsCopied: 0,
                objectsReused: 0)
        }
        let day: Int64 = 24 * 3_600
        #expect(BackupSchedule.isDue(nil, at: now, everySeconds: day))
        #expect(!BackupSchedule.isDue(run(.running, hoursAgo: 30), at: now, everySeconds: day))
        #expect(BackupSchedule.isDue(run(.failed, hoursAgo: 1), at: now, everySeconds: day))
        #expect(!BackupSchedule.isDue(run(.failed, hoursAgo: 0), at: now, everySeconds: day))
        #expect(!BackupSchedule.isDue(run(.proved, hoursAgo: 23), at: now, everySeconds: day))
        #expect(BackupSchedule.isDue(run(.proved, hoursAgo: 24), at: now, everySeconds: day))
    }
}
