package import Backups
import Foundation
package import Kernel
package import Logging
import Objects
import Storage

/// Restores a whole server from an encrypted backup: its database, on either engine, its objects and its keys.
package struct RestoreService: Sendable {
    /// What a restore did.
    package struct Result: Sendable {
        package let manifest: BackupManifest
        /// A copy of the previous content of the database, if there was any.
        package let previousCopy: String?
        /// The file with the settings of the server that made the backup.
        package let settingsFile: String
        /// What is wrong with the ledger in the backup.
        package let ledgerProblem: String?
        /// Whether key files were created or replaced, so that running servers must be restarted.
        package let hasNewKeys: Bool
    }

    static let settingsFile = "restored-settings.conf"

    private let settings: ServerSettings
    private let executable: String
    private let clock: any WallClock
    private let random: any RandomSource
    private let logger: Logger
    private let progress: BackupProgressHandler

    package init(
        _ settings: ServerSettings, executable: String, clock: any WallClock = SystemClock(),
        random: any RandomSource = SystemRandom(), logger: Logger, progress: @escaping BackupProgressHandler = { _ in }
    ) {
        self.settings = settings
        self.executable = executable
        self.clock = clock
        self.random = random
        self.logger = logger
        self.progress = progress
    }

    /// A backup to restore.
    package enum Source: Sendable {
        /// A file.
        case file(String)
        /// A backup in the repository of `HOMEWARD_BACKUPS`; `nil` for the newest.
        case repository(BackupName?)
    }

    /// Reads and checks the whole backup before it changes anything. A restore that was interrupted can be repeated.
    /// - Parameters:
    ///   - endsSessions: whether everyone must sign in again.
    ///   - replaces: whether content with other keys, or content of PostgreSQL, may be replaced.
    /// - Throws: ``BackupError``, ``SettingError``, or an error of the stores.
    package func restore(
        _ source: Source, key: BackupKey, endsSessions: Bool = false, replaces: Bool = false
    ) async throws -> Result {
        try FileManager.default.createDirectory(
            atPath: settings.dataFolder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        RestoreLeftovers.remove(in: settings.dataFolder)
        let reader = BackupReader(key: key, dataFolder: settings.dataFolder, random: random, progress: progress)
        let content = try await content(of: source, key)
        let backup = try await content.open(reader)
        progress(BackupProgress(.checking))
        try await backup.checkDatabase()
        let keys = try RestoredKeys(backup.keys, folder: settings.dataFolder, random: random)
        let problem = try await BackupLedgerCheck(clock: clock, logger: logger).problem(of: backup)
        try DiskSpace.require(backup.manifest.databaseBytes * Limits.restoreCopies, in: settings.dataFolder)

        let services = try await Services.open(
            settings, executable: executable, clock: clock, random: random, logger: logger, restoredKeys: keys.keys)
        do {
            try await requirePermission(services, keys, replaces: replaces)
            try await restoreObjects(of: backup, to: services.objects) { body in
                try await content.forEachObject(of: backup, reader, body)
            }
            try keys.prepare()
            progress(BackupProgress(.restoringDatabase))
            let copy = try await services.restore(from: backup.databasePath, endsSessions: endsSessions)
            try keys.finish()
            try store(key, settings: backup.settings)
            await services.close()
            return Result(
                manifest: backup.manifest, previousCopy: copy,
                settingsFile: "\(settings.dataFolder)/\(Self.settingsFile)",
                ledgerProblem: problem, hasNewKeys: keys.areNew)
        } catch {
            await services.close()
            throw error
        }
    }

    private func content(of source: Source, _ key: BackupKey) async throws -> RestoredContent {
        switch source {
        case .file(let path): return .file(path)
        case .repository(let name):
            let store = try await settings.openBackups(clock: clock, random: random, logger: logger)
            let repository = BackupRepository(store, key: key)
            guard let found = try await repository.find(name) else {
                throw SettingError(.backups, "has no complete backup")
            }
            return .repository(repository, found)
        }
    }

    private func requirePermission(_ services: Services, _ keys: RestoredKeys, replaces: Bool) async throws {
        guard !replaces, !keys.continuesRestore, try await services.database.read({ try KeyFiles.hasData(in: $0) })
        else { return }
        guard keys.differing.isEmpty else {
            let names = keys.differing.map(\.name).joined(separator: ", ")
            throw SettingError(
                .data,
                "the server here has content with other keys than the backup (\(names)). To replace it, stop the server "
                    + "and add --replace; a copy of the content and the keys is kept")
        }
        guard services.database.dialect == .sqlite else {
            throw SettingError(
                .database, "has content. To replace it, add --replace; a copy of the content is kept")
        }
    }

    /// Writes the objects that the store doesn't have. Other objects stay: they may hold positions that arrived after
    /// the backup.
    private func restoreObjects(
        of backup: OpenedBackup, to store: any ObjectStore,
        _ forEachObject: ((_ key: String, _ bytes: [UInt8]) async throws -> Void) async throws -> Void
    ) async throws {
        let total = Int64(backup.objects.count)
        var done: Int64 = 0
        try await forEachObject { key, bytes in
            if try await store.get(key) != bytes { try await store.put(bytes, at: key) }
            done += 1
            progress(BackupProgress(.restoringObjects, done: done, of: total, unit: "objects"))
        }
    }

    private func store(_ key: BackupKey, settings text: String) throws {
        let path = "\(settings.dataFolder)/\(Self.settingsFile)"
        let draft = "\(path).\(String(random.uint64(), radix: 16)).new"
        try DurableFile(path).replace(Array(text.utf8), draft: draft)
        // A server that continues with the same backups needs the same key.
        if try BackupKey.read("\(settings.dataFolder)/\(BackupKey.fileName)") == nil {
            try key.store(in: settings.dataFolder, random: random)
        }
    }
}

/// Where the parts of a backup are read from.
private enum RestoredContent {
    case file(String)
    case repository(BackupRepository, RepositoryBackup)

    func open(_ reader: BackupReader) async throws -> OpenedBackup {
        switch self {
        case .file(let path): try await reader.open(try FileSource(path))
        case .repository(let repository, let backup): try await reader.open(repository.sources(of: backup))
        }
    }

    func forEachObject(
        of opened: OpenedBackup, _ reader: BackupReader, _ body: (_ key: String, _ bytes: [UInt8]) async throws -> Void
    ) async throws {
        switch self {
        case .file(let path): try await reader.forEachObject(of: try FileSource(path), body)
        case .repository(let repository, _):
            for object in opened.objects { try await body(object.key, try await repository.content(of: object)) }
        }
    }
}

extension BackupRepository {
    /// Returns a backup by its name; the newest complete one without a name.
    fileprivate func find(_ name: BackupName?) async throws -> RepositoryBackup? {
        guard let name else { return try await latest() }
        return try await find(name)
    }
}
