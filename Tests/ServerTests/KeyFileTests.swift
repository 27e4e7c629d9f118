import Accounts
import Configuration
import Foundation
import Kernel
import Ledger
import Storage
import TestSupport
import Testing

@testable import Server

@Suite("Key files")
struct KeyFileTests {
    private static func settings(_ url: DatabaseURL, _ folder: TemporaryFolder) throws -> ServerSettings {
        let values = ["HOMEWARD_DATA": folder.path, "HOMEWARD_LISTEN": "127.0.0.1:0"]
        return try ServerSettings(ConfigReader(provider: EnvironmentVariablesProvider(environmentVariables: values)))
            .with(database: url)
    }

    private static func open(_ url: DatabaseURL, _ folder: TemporaryFolder) async throws -> Services {
        try await Services.open(
            try settings(url, folder), executable: "/nonexistent", clock: TestClock(), logger: .silent,
            hasher: ScryptHasher(random: SystemRandom(), costExponent: 1))
    }

    /// Starts a node and stops it.
    private static func start(_ url: DatabaseURL, _ folder: TemporaryFolder) async throws {
        await (try await open(url, folder)).close()
    }

    private static func fill(_ url: DatabaseURL, _ folder: TemporaryFolder) async throws {
        let services = try await open(url, folder)
        _ = try await services.accounts.administrators.create(
            email: "mia@example.org", name: "Mia", password: "correct horse 12")
        await services.close()
    }

    private static func files(_ folder: TemporaryFolder) throws -> Set<String> {
        Set(try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.contains(".key") })
    }

    private static func copyKeys(from: TemporaryFolder, to: TemporaryFolder) throws {
        for file in KeyFile.allCases {
            try FileManager.default.copyItem(atPath: from.file(file.name), toPath: to.file(file.name))
        }
    }

    private static func refusal(_ url: DatabaseURL, _ folder: TemporaryFolder) async throws -> String {
        do {
            try await start(url, folder)
        } catch let failure as SettingError {
            return failure.description
        }
        return "started"
    }

    private static let all = Set(KeyFile.allCases.map(\.name))

    @Test("A second node starts with the first one's keys, and not with other keys or none", arguments: Engine.allCases)
    func secondNode(engine: Engine) async throws {
        try await withDatabaseURL(engine) { url in
            let first = try TemporaryFolder()
            try await Self.start(url, first)
            #expect(try Self.files(first) == Self.all)
            let second = try TemporaryFolder()
            let refusal = try await Self.refusal(url, second)
            for file in KeyFile.allCases { #expect(refusal.contains("\(second.file(file.name)) is missing")) }
            #expect(try Self.files(second).isEmpty)
            try Self.copyKeys(from: first, to: second)
            try await Self.start(url, second)
            try await Self.start(url, first)
        }
    }

    @Test(
        "A node refuses to start with a missing or different key, and names the file",
        arguments: Engine.allCases)
    func wrongKey(engine: Engine) async throws {
        try await withDatabaseURL(engine) { url in
            let folder = try TemporaryFolder()
            try await Self.fill(url, folder)
            for file in KeyFile.allCases {
                let path = URL(fileURLWithPath: folder.file(file.name))
                let right = try Data(contentsOf: path)
                try Data(repeating: 9, count: 32).write(to: path)
                let other = try await Self.refusal(url, folder)
                #expect(other.contains("\(path.path) is not the key") && other.contains("keys adopt \(file.name)"))
                try FileManager.default.removeItem(at: path)
                #expect(try await Self.refusal(url, folder).contains("\(path.path) is missing"))
                #expect(!FileManager.default.fileExists(atPath: path.path))
                try right.write(to: path)
                try await Self.start(url, folder)
            }
        }
    }

    @Test("Of two nodes that start at the same time on an empty database, one starts", arguments: Engine.allCases)
    func race(engine: Engine) async throws {
        try await withDatabaseURL(engine) { url in
            let folders = [try TemporaryFolder(), try TemporaryFolder(), try TemporaryFolder()]
            let hasStarted = try await withThrowingTaskGroup(of: (Int, Bool).self) { group in
                for (number, folder) in folders.enumerated() {
                    group.addTask { (number, try await Self.refusal(url, folder) == "started") }
                }
                return try await group.reduce(into: [Int: Bool]()) { $0[$1.0] = $1.1 }
            }
            #expect(hasStarted.values.filter { $0 }.count == 1)
            for (number, folder) in folders.enumerated() {
                #expect(try Self.files(folder) == (hasStarted[number] == true ? Self.all : []))
            }
        }
    }

    @Test("A store of an earlier version adopts the keys of the first node that has them", arguments: Engine.allCases)
    func upgrade(engine: Engine) async throws {
        try await withDatabaseURL(engine) { url in
            let folder = try TemporaryFolder()
            try await Self.fill(url, folder)
            let services = try await Self.open(url, folder)
            try await services.database.write { tx in try tx.execute("DELETE FROM key_fingerprint") }
            await services.close()
            let empty = try TemporaryFolder()
            #expect(try await Self.refusal(url, empty).contains("secret.key is missing"))
            #expect(try Self.files(empty).isEmpty)
            try await Self.start(url, folder)
            try Data(repeating: 9, count: 32).write(to: URL(fileURLWithPath: folder.file("push.key")))
            #expect(try await Self.refusal(url, folder).contains("push.key is not the key"))
        }
    }

    @Test("Lost keys can be replaced, except the ledger's", arguments: Engine.allCases)
    func adopt(engine: Engine) async throws {
        try await withDatabaseURL(engine) { url in
            let folder = try TemporaryFolder()
            try await Self.fill(url, folder)
            let services = try await Self.open(url, folder)
            // A ledger without accounts accepts any key.
            try await services.database.write { [ledger = services.ledger] tx in
                let wallet = LedgerAccountKey(purpose: "wallet", holder: "someone")
                try ledger.open(wallet, unit: "EUR", now: services.clock.now, in: tx)
            }
            await services.close()
            let database = try await Database.open(
                url, migrations: Services.migrations, logger: .silent, clock: TestClock())
            let keys = KeyFileService(try Self.settings(url, folder), database: database)
            try FileManager.default.removeItem(atPath: folder.file("secret.key"))
            try Data(repeating: 9, count: 32).write(to: URL(fileURLWithPath: folder.file("push.key")))
            #expect(try await keys.states() == [.secret: .missing, .push: .differs, .ledger: .matches])
            try await keys.adopt([.secret, .push])
            #expect(try await keys.states().values.allSatisfy { $0 == .matches })
            let ledgerKey = URL(fileURLWithPath: folder.file("ledger.key"))
            let right = try Data(contentsOf: ledgerKey)
            try Data(repeating: 9, count: 32).write(to: ledgerKey)
            await #expect(throws: SettingError.self) { try await keys.adopt([.ledger]) }
            try FileManager.default.removeItem(at: ledgerKey)
            await #expect(throws: SettingError.self) { try await keys.adopt([.ledger]) }
            #expect(!FileManager.default.fileExists(atPath: ledgerKey.path))
            try right.write(to: ledgerKey)
            await database.close()
            try await Self.start(url, folder)
        }
    }

    @Test("A backup that was made with other keys is rejected, and nothing is changed")
    func restore() async throws {
        try await withDatabaseURL(.sqlite) { url in
            let first = try TemporaryFolder()
            let services = try await Self.open(url, first)
            try await services.database.backup(to: first.file("backup.sqlite"))
            await services.close()
            try await withDatabaseURL(.sqlite) { other in
                let second = try TemporaryFolder()
                let services = try await Self.open(other, second)
                let failure = await #expect(throws: SettingError.self) {
                    _ = try await services.restore(from: first.file("backup.sqlite"))
                }
                #expect(failure?.description.contains("secret.key is not the key") == true)
                await services.close()
                try await Self.start(other, second)
            }
        }
    }

    @Test("The files are created once, readable for their owner only")
    func creation() throws {
        let folder = try TemporaryFolder()
        var first = try KeyFiles(folder: folder.path)
        #expect(try first.create(KeyFile.allCases, random: SystemRandom()) == KeyFile.allCases)
        var second = try KeyFiles(folder: folder.path)
        #expect(second.keys == first.keys)
        #expect(try second.create(KeyFile.allCases, random: SystemRandom()).isEmpty)
        #expect(second.keys == first.keys)
        for file in KeyFile.allCases {
            let attributes = try FileManager.default.attributesOfItem(atPath: folder.file(file.name))
            #expect(attributes[.posixPermissions] as? Int == 0o600)
            #expect(attributes[.size] as? Int == KeyFile.byteCount)
        }
        #expect(try Self.files(folder) == Self.all)
    }

    @Test("Processes that create the files at the same time use the same keys")
    func creationRace() async throws {
        let folder = try TemporaryFolder()
        let keys = try await withThrowingTaskGroup(of: [KeyFile: [UInt8]].self) { group in
            for _ in 0..<20 {
                group.addTask {
                    var files = try KeyFiles(folder: folder.path)
                    _ = try files.create(KeyFile.allCases, random: SystemRandom())
                    return files.keys
                }
            }
            return try await group.reduce(into: Set<[KeyFile: [UInt8]]>()) { $0.insert($1) }
        }
        #expect(keys.count == 1)
        #expect(keys.first?.count == KeyFile.allCases.count)
        #expect(try Self.files(folder) == Self.all)
    }

    @Test("A file of another length is rejected by its name and kept", arguments: KeyFile.allCases, [0, 31, 33])
    func otherLength(file: KeyFile, count: Int) throws {
        let folder = try TemporaryFolder()
        let contents = Data(repeating: 7, count: count)
        try contents.write(to: URL(filePath: folder.file(file.name)))
        let failure = #expect(throws: SettingError.self) { try KeyFiles(folder: folder.path) }
        #expect(failure?.description.contains(file.name) == true)
        #expect(try Data(contentsOf: URL(filePath: folder.file(file.name))) == contents)
    }

    @Test("A fingerprint doesn't contain the key, and differs by file")
    func fingerprint() {
        let key = [UInt8](repeating: 7, count: 32)
        let one = KeyFingerprint(name: "secret.key", key: key)
        #expect(one.bytes.count == 32)
        #expect(one.bytes != key)
        #expect(one.bytes != KeyFingerprint(name: "push.key", key: key).bytes)
    }
}
