import Accounts
import AdminWeb
import Backups
import Configuration
import Crypto
import Foundation
import HTTPTypes
import Kernel
import Logging
import Pictures
import Storage
import TestSupport
import Testing

@testable import Server

@Suite("The doctor")
struct DoctorTests {
    private static func settings(
        _ url: DatabaseURL, _ folder: String, _ extra: [String: String] = [:]
    ) throws -> ServerSettings {
        var values = ["HOMEWARD_DATA": folder, "HOMEWARD_LISTEN": "127.0.0.1:0"]
        values.merge(extra) { _, new in new }
        return try ServerSettings(ConfigReader(provider: EnvironmentVariablesProvider(environmentVariables: values)))
            .with(database: url)
    }

    private static func findings(_ settings: ServerSettings) async -> [Finding] {
        await ServerDoctor.findings(
            settings, executable: "/nonexistent", clock: TestClock(), pictureSandbox: .complete, logger: .silent)
    }

    private static func open(_ settings: ServerSettings) async throws -> Services {
        try await Services.open(settings, executable: "/nonexistent", clock: TestClock(), logger: .silent)
    }

    /// Each file below a folder, with its time of modification and its content.
    private static func content(_ folder: String) throws -> [String: String] {
        var content: [String: String] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: folder) {
            let attributes = try FileManager.default.attributesOfItem(atPath: "\(folder)/\(name)")
            let bytes = FileManager.default.contents(atPath: "\(folder)/\(name)") ?? Data()
            content[name] = "\(attributes[.modificationDate] ?? "") \(SHA256.hash(data: bytes))"
        }
        return content
    }

    @Test("An empty store is reported, and neither data nor keys are created", arguments: Engine.allCases)
    func emptyFolder(engine: Engine) async throws {
        try await withDatabaseURL(engine) { url in
            let folder = try TemporaryFolder()
            // SQLite's file belongs into the data folder, which doesn't exist either.
            let place = engine == .sqlite ? DatabaseURL.sqlite(path: folder.file("data/homeward.sqlite")) : url
            let settings = try Self.settings(place, folder.file("data"))
            let findings = await Self.findings(settings)
            // An empty database on PostgreSQL is one of another version.
            #expect(findings.contains { $0.check == (engine == .sqlite ? "start" : "schema") && $0.level == .problem })
            #expect(!findings.contains { ["database", "keys", "disk"].contains($0.check) })
            #expect(try Self.content(folder.path).isEmpty)
            // Nothing was migrated either, as the finding says on PostgreSQL.
            if engine == .sqlite {
                await #expect(throws: StorageError.self) {
                    try await Database.open(
                        place, migrations: Services.migrations, logger: .silent, clock: TestClock(), opening: .existing)
                }
            }
            #expect(try Self.content(folder.path).isEmpty)
        }
    }

    @Test("Examining a store changes no file, whether its server runs or not", arguments: Engine.allCases)
    func storeOfAServer(engine: Engine) async throws {
        try await withDatabaseURL(engine) { url in
            let folder = try TemporaryFolder()
            let path = folder.file("homeward.sqlite")
            let settings = try Self.settings(engine == .sqlite ? .sqlite(path: path) : url, folder.path)
            let services = try await Self.open(settings)
            let running = try Self.content(folder.path)
            #expect(await Self.findings(settings).contains { $0.check == "database" && $0.level == .good })
            #expect(
                try Self.content(folder.path).filter { $0.key != "homeward.sqlite-shm" }
                    == running.filter { $0.key != "homeward.sqlite-shm" })
            await services.close()

            let stopped = try Self.content(folder.path)
            let findings = await Self.findings(settings)
            #expect(findings.contains(.schemaCurrent) && findings.contains(.keysSafe))
            #expect(findings.contains(.administratorMissing))
            #expect(try Self.content(folder.path) == stopped)
        }
    }

    @Test("H-11: The doctor reports the newest backup and what isn't set up, and finds no problem")
    func backup() async throws {
        let folder = try TemporaryFolder()
        let settings = try Self.settings(.sqlite(path: folder.file("homeward.sqlite")), folder.path)
        let services = try await Self.open(settings)
        let administrators = services.accounts.administrators
        _ = try await administrators.create(email: "mia@example.org", name: "Mia", password: "correct horse")
        _ = try await administrators.setOperator(email: "mia@example.org", true)
        #expect(await Self.findings(settings).contains(.backupMissing))
        let key = try BackupKey.open(in: folder.path, random: SystemRandom()).key
        _ = try await BackupService(services).write(to: folder.file("all.homeward"), key: key)
        await services.close()
        let findings = await Self.findings(settings)
        let texts = findings.map { $0.message(.english) }
        #expect(texts.contains("The newest verified backup is less than an hour old."))
        #expect(texts.contains("Mail isn’t set up."))
        #expect(!findings.contains { $0.level == .problem }, "\(texts)")
    }

    @Test("A missing key is reported and not created", arguments: Engine.allCases)
    func missingKey(engine: Engine) async throws {
        try await withDatabaseURL(engine) { url in
            let folder = try TemporaryFolder()
            let settings = try Self.settings(url, folder.path)
            await (try await Self.open(settings)).close()
            try FileManager.default.removeItem(atPath: folder.file("push.key"))
            guard case .cannotStart(let reason) = await Self.findings(settings).first(where: { $0.check == "start" })
            else {
                Issue.record("no finding")
                return
            }
            #expect(reason.contains("push.key is missing"))
            #expect(!FileManager.default.fileExists(atPath: folder.file("push.key")))
            await #expect(throws: SettingError.self) {
                try await Services.open(
                    settings, executable: "/nonexistent", clock: TestClock(), logger: .silent, opening: .existing)
            }
            #expect(!FileManager.default.fileExists(atPath: folder.file("push.key")))
        }
    }

    @Test("A store of an earlier version is reported and not migrated", arguments: Engine.allCases)
    func earlierSchema(engine: Engine) async throws {
        let last = try #require(Services.migrations.last)
        try await withDatabaseURL(engine, migrations: Array(Services.migrations.dropLast())) { url in
            let folder = try TemporaryFolder()
            let settings = try Self.settings(url, folder.path)
            for _ in 0..<2 { #expect(await Self.findings(settings).contains(.schemaDiffers(last.title))) }
        }
    }

    @Test("A store that was opened without a change can't be written", arguments: Engine.allCases)
    func writes(engine: Engine) async throws {
        try await withDatabaseURL(engine, migrations: Services.migrations) { url in
            let database = try await Database.open(
                url, migrations: Services.migrations, logger: .silent, clock: TestClock(), opening: .unchanged)
            await #expect(throws: AppError.self) {
                try await database.write { tx in try tx.execute("DELETE FROM account") }
            }
            #expect(try await database.read { tx in try tx.rows("SELECT id FROM account").count } == 0)
            await database.close()
        }
    }

    @Test("A SQLite file of another program, and one that isn't SQLite's, are left alone")
    func otherFiles() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("a ?#%é.sqlite")
        for content in [Data("no database".utf8), Data(repeating: 7, count: 5_000), Data()] {
            try content.write(to: URL(filePath: path))
            let findings = await Self.findings(try Self.settings(.sqlite(path: path), folder.path))
            #expect(findings.contains { $0.check == "start" && $0.level == .problem })
            #expect(FileManager.default.contents(atPath: path) == content)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 1)
        }
    }

    @Test("The geocoder and the router are asked, and what they answer is reported")
    func mapServices() async throws {
        let folder = try TemporaryFolder()
        let (geocoder, router) = (StubServer(), StubServer())
        try await geocoder.serve { geocoderURL in
            try await router.serve { routerURL in
                let settings = try Self.settings(
                    .sqlite(path: folder.file("a")), folder.path,
                    ["HOMEWARD_GEOCODER_URL": geocoderURL, "HOMEWARD_ROUTER_URL": routerURL])
                let checks = ConnectionChecks(settings: settings, logger: .silent)
                geocoder.reply(.ok, #"{"error":"Unable to geocode"}"#)
                #expect(await checks.geocoder() == .geocoderWorks)
                geocoder.reply(.badGateway)
                #expect(await checks.geocoder() == .geocoderFails("status 502"))
                geocoder.reply(.ok, "<html>")
                #expect(await checks.geocoder() == .geocoderFails("the response can't be understood"))
                router.reply(.ok, #"{"code":"Ok","distances":[[0,1],[1,0]]}"#)
                #expect(await checks.router() == .routerWorks)
                router.reply(.badRequest, #"{"code":"NoSegment"}"#)
                #expect(await checks.router() == .routerWorks)
                #expect(await checks.router() == .routerFails("status 501"))
                #expect(geocoder.arrivals.first?.path.hasPrefix("/reverse?") == true)
                var hasty = checks
                hasty.seconds = 0
                #expect(await hasty.geocoder() == .geocoderFails("no response within 0 seconds"))
            }
        }
        let none = ConnectionChecks(
            settings: try Self.settings(.sqlite(path: folder.file("a")), folder.path), logger: .silent)
        #expect(await none.geocoder() == nil)
        #expect(await none.router() == nil)
        #expect(await none.backups() == nil)
        #expect(await none.mail() == .mailOff)
        #expect(await none.push(nil, isLocal: true) == .pushUntried)
    }

    @Test("The mail command must exist")
    func mailCommand() async throws {
        let folder = try TemporaryFolder()
        func mail(_ command: String) async throws -> Finding {
            let settings = try Self.settings(
                .sqlite(path: folder.file("a")), folder.path, ["HOMEWARD_MAIL": command])
            return await ConnectionChecks(settings: settings, logger: .silent).mail()
        }
        #expect(try await mail("/bin/true -t -i") == .mailCommandExists("/bin/true"))
        #expect(try await mail("true") == .mailCommandExists("true"))
        for command in ["/no/such/sendmail -t", "no-such-sendmail-here", folder.path] {
            #expect(try await mail(command).level == .problem)
        }
    }

    @Test("The buckets of photos and backups are asked with the credentials")
    func buckets() async throws {
        let folder = try TemporaryFolder()
        let address = try await S3TestServer.shared().address("doctor")
        func checks(_ secretKey: String, _ address: String) throws -> ConnectionChecks {
            ConnectionChecks(
                settings: try Self.settings(
                    .sqlite(path: folder.file("a")), folder.path,
                    [
                        "HOMEWARD_OBJECTS": address, "HOMEWARD_BACKUPS": address,
                        "HOMEWARD_OBJECTS_ACCESS_KEY": S3TestServer.accessKey, "HOMEWARD_OBJECTS_SECRET_KEY": secretKey,
                    ]),
                logger: .silent)
        }
        let right = try checks(S3TestServer.secretKey, address)
        #expect(await right.objects(hasStore: false) == .objectsWork)
        #expect(await right.backups() == .backupStorageWorks)
        let wrong = try checks("another", address)
        #expect(await wrong.objects(hasStore: false)?.level == .problem)
        #expect(await wrong.backups()?.level == .problem)
    }

    @Test("A folder for objects must exist and isn't created")
    func folders() async throws {
        let folder = try TemporaryFolder()
        let settings = try Self.settings(
            .sqlite(path: folder.file("a")), folder.path, ["HOMEWARD_BACKUPS": "folder:\(folder.file("backups"))"])
        let checks = ConnectionChecks(settings: settings, logger: .silent)
        #expect(await checks.objects(hasStore: true)?.level == .problem)
        #expect(await checks.objects(hasStore: false) == nil)
        #expect(await checks.backups()?.level == .problem)
        #expect(try Self.content(folder.path).isEmpty)
        try FileManager.default.createDirectory(atPath: folder.file("backups"), withIntermediateDirectories: false)
        #expect(await checks.backups() == .backupStorageWorks)
        #expect(try Self.content(folder.path).count == 1)
    }

    @Test("Without seccomp, the log, the administrator's pages and the doctor say so")
    func seccomp() async throws {
        for (sandbox, finding) in [
            (PictureSandbox.complete, Finding.picturesIsolated), (.withoutSeccomp, .picturesWithoutSeccomp),
        ] {
            let log = LogRecorder()
            try await withServer(pictureSandbox: sandbox, logger: log.logger) { harness async throws in
                let token = try await harness.join("mia@example.org")
                _ = try await harness.services.accounts.administrators.setOperator(email: "mia@example.org", true)
                let overview = try await harness.send(.get, "/admin", token: token).object()
                #expect(overview["isolatesPictures"] as? Bool == (sandbox == .complete))
                let checks = try await harness.send(.get, "/admin/checks", token: token).object()
                let texts = (checks["items"] as? [[String: Any]])?.compactMap { $0["message"] as? String } ?? []
                #expect(texts.contains(finding.message(.english)))
            }
            #expect(log.lines.count { $0.contains("seccomp") } == (sandbox == .complete ? 0 : 1))
            let folder = try TemporaryFolder()
            let settings = try Self.settings(.sqlite(path: folder.file("a")), folder.path)
            let findings = await ServerDoctor.findings(
                settings, executable: "/nonexistent", pictureSandbox: sandbox, logger: .silent)
            #expect(findings.contains(finding))
        }
        #expect(Finding.picturesWithoutSeccomp.advice(.english) != nil)
    }
}
