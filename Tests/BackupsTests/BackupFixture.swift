import Foundation
import Kernel
import Objects
import Storage
import TestSupport

@testable import Backups

/// A small server's content and the backups of it.
struct BackupFixture {
    static let migrations = [
        Migration(
            module: "sample", name: "0001-box",
            sql: """
                CREATE TABLE box (
                    id {text} PRIMARY KEY,
                    content {blob}
                ) {strict};
                """)
    ]
    static let settings = "HOMEWARD_URL=https://home.example\nHOMEWARD_MAIL=secret\n"

    let database: Database
    let folder: TemporaryFolder
    let objects: any ObjectStore
    let key: BackupKey
    let random = SeededRandom(seed: 3)

    init(_ database: Database) throws {
        self.database = database
        folder = try TemporaryFolder()
        objects = try FolderObjectStore(folder: folder.file("objects"))
        key = try BackupKey(bytes: SeededRandom(seed: 9).bytes(BackupKey.byteCount))
    }

    static func with(_ engine: Engine = .sqlite, _ body: (BackupFixture) async throws -> Void) async throws {
        try await withDatabase(engine, migrations: migrations) { try await body(BackupFixture($0)) }
    }

    func fill(rows: Int = 20, objects count: Int = 5) async throws {
        try await database.write { tx in
            for number in 0..<rows {
                let content = SeededRandom(seed: UInt64(number)).bytes(2_000)
                try tx.execute("INSERT INTO box (id, content) VALUES (\("b\(number)"), \(content))")
            }
        }
        for number in 0..<count {
            try await objects.put(SeededRandom(seed: 77).bytes(1_000 * (number + 1)), at: "pictures/a/\(number).jpg")
        }
    }

    var subject: BackupSubject {
        BackupSubject(
            database: database, objects: objects, temporaryPrefix: "imports/",
            keys: ["secret.key": [UInt8](repeating: 1, count: 32), "ledger.key": [UInt8](repeating: 2, count: 32)],
            settings: Self.settings, ledgerHead: { Array("head".utf8) })
    }

    var writer: BackupWriter {
        BackupWriter(subject, key: key, dataFolder: folder.path, clock: TestClock(), random: random)
    }

    func reader(_ key: BackupKey? = nil) -> BackupReader {
        BackupReader(key: key ?? self.key, dataFolder: folder.path, random: random)
    }

    /// Writes a backup to memory.
    func archive() async throws -> [UInt8] {
        let target = MemoryTarget()
        _ = try await writer.write(to: target)
        return target.bytes
    }

    /// Opens a backup and checks its database.
    func open(_ archive: [UInt8], key: BackupKey? = nil) async throws -> OpenedBackup {
        let backup = try await reader(key).open(BytesSource(archive))
        try await backup.checkDatabase()
        return backup
    }

    /// What is in the folder for temporary databases.
    var scratch: [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder.file("scratch"))) ?? []
    }
}

/// A target in memory, which can fail after a number of bytes.
final class MemoryTarget: BackupTarget {
    private(set) var bytes: [UInt8] = []
    private(set) var isFinished = false
    private(set) var isDiscarded = false
    var capacity = Int.max

    var byteCount: Int64 { Int64(bytes.count) }

    func write(_ bytes: [UInt8]) throws {
        guard self.bytes.count + bytes.count <= capacity else {
            throw BackupError.system(step: "write", code: ENOSPC)
        }
        self.bytes += bytes
    }

    func finish() { isFinished = true }

    func discard() { isDiscarded = true }
}
