import Accounts
package import Backups
import Foundation
import Kernel
import Logging
import Objects
import Storage

/// Writes and checks encrypted backups of the whole server. Each one is recorded in the database.
package struct BackupService: Sendable {
    private let services: Services
    private let progress: BackupProgressHandler

    package init(_ services: Services, progress: @escaping BackupProgressHandler = { _ in }) {
        self.services = services
        self.progress = progress
    }

    // MARK: Files

    /// Writes a backup to a new file. The file gets its name once the backup is read back and checked.
    /// - Throws: ``BackupError``, or an error of the stores; then the file doesn't exist.
    package func write(to path: String, key: BackupKey) async throws -> BackupManifest {
        let target = try FileTarget(path)
        do {
            return try await recorder.record(to: path) { isAlive in
                let manifest = try await writer(key, isAlive).write(to: target)
                let read = try await check([try FileSource(target.draft)], key: key, isAlive)
                guard read.manifest == manifest else {
                    throw BackupError.contradiction("its manifest isn't the one written")
                }
                try target.publish()
                return (manifest, .proved, Self.figures(manifest, target.byteCount))
            }
        } catch {
            // Also if the run can't be recorded.
            target.discard()
            throw error
        }
    }

    /// Writes a backup to standard output. It can't be checked.
    package func writeToStandardOutput(key: BackupKey) async throws -> BackupManifest {
        let target = StandardOutputTarget()
        return try await recorder.record(to: "standard output") { isAlive in
            let manifest = try await writer(key, isAlive).write(to: target)
            return (manifest, .unproved, Self.figures(manifest, target.byteCount))
        }
    }

    /// Reads a backup completely: decrypts it, opens its database, verifies its ledger and counts its rows.
    /// - Throws: ``BackupError``.
    package func check(_ path: String, key: BackupKey) async throws -> BackupManifest {
        try await check([try FileSource(path)], key: key).manifest
    }

    // MARK: Repository

    /// Opens the repository of `HOMEWARD_BACKUPS`.
    /// - Throws: ``SettingError`` if there is none, or it can't be opened.
    package func repository(key: BackupKey) async throws -> BackupRepository {
        BackupRepository(try await services.openBackups(), key: key)
    }

    /// Writes a backup to the repository, and checks it: reads its database and the contents that it added, and looks
    /// for the contents of earlier backups that it refers to. Afterwards, removes what the retention doesn't keep.
    /// - Throws: ``BackupError``, or an error of the stores; then the repository has no such backup.
    package func write(to repository: BackupRepository) async throws -> RepositoryBackup {
        let name = BackupName(at: services.clock.now, random: services.random)
        let destination = services.settings.backups.destination ?? ""
        let backup = try await recorder.record(to: destination, name: "\(name)") {
            isAlive -> (RepositoryBackup, BackupRun.Result, BackupFigures) in
            let result = try await writer(repository.key, isAlive).write(to: repository, as: name)
            do {
                try await prove(result, in: repository, isAlive)
            } catch {
                try await repository.retract(name)
                throw error
            }
            var figures = Self.figures(result.backup.manifest, result.backup.byteCount)
            figures.objectsCopied = result.backup.objectsCopied
            figures.objectsReused = result.backup.manifest.objectCount - result.backup.objectsCopied
            return (result.backup, .proved, figures)
        }
        try await prune(repository)
        return backup
    }

    /// Reads a backup of the repository completely, with the contents of all its objects.
    /// - Throws: ``BackupError``.
    package func checkAll(_ backup: RepositoryBackup, in repository: BackupRepository) async throws {
        let opened = try await check(repository.sources(of: backup), key: repository.key)
        for (index, object) in opened.objects.enumerated() {
            _ = try await repository.content(of: object)
            progress(
                BackupProgress(
                    .reading, done: Int64(index + 1), of: Int64(opened.objects.count), unit: "objects"))
        }
    }

    private func prove(
        _ result: RepositoryResult, in repository: BackupRepository, _ isAlive: @escaping @Sendable () -> Void
    ) async throws {
        let backup = try await repository.find(result.backup.name)
        guard backup == result.backup else { throw BackupError.contradiction("it isn't the one that was written") }
        let opened = try await check(repository.sources(of: backup), key: repository.key, isAlive)
        guard opened.manifest == backup.manifest else {
            throw BackupError.contradiction("its manifest isn't the one written")
        }
        for object in result.copied {
            isAlive()
            _ = try await repository.content(of: object)
        }
    }

    private func prune(_ repository: BackupRepository) async throws {
        let removed = try await repository.prune(services.settings.backups.retention, now: services.clock.now)
        guard !removed.isEmpty else { return }
        let names = removed.map(\.description).joined(separator: ", ")
        services.logger.notice("Old backups removed", metadata: ["names": "\(names)"])
    }

    // MARK: Parts

    private func check(
        _ sources: [any BackupSource], key: BackupKey, _ isAlive: @escaping @Sendable () -> Void = {}
    ) async throws -> OpenedBackup {
        let reader = BackupReader(
            key: key, dataFolder: services.settings.dataFolder, random: services.random, progress: shown(isAlive))
        let backup = try await reader.open(sources)
        progress(BackupProgress(.checking))
        try await backup.checkDatabase()
        let check = BackupLedgerCheck(clock: services.clock, logger: services.logger)
        if let problem = try await check.problem(of: backup) { throw BackupError.contradiction(problem) }
        return backup
    }

    private func writer(_ key: BackupKey, _ isAlive: @escaping @Sendable () -> Void) -> BackupWriter {
        BackupWriter(
            services.backupSubject, key: key, dataFolder: services.settings.dataFolder, clock: services.clock,
            random: services.random, progress: shown(isAlive))
    }

    private func shown(_ isAlive: @escaping @Sendable () -> Void) -> BackupProgressHandler {
        { [progress] step in
            isAlive()
            progress(step)
        }
    }

    private var recorder: BackupRunRecorder {
        BackupRunRecorder(
            database: services.database, clock: services.clock, random: services.random, logger: services.logger)
    }

    private static func figures(_ manifest: BackupManifest, _ byteCount: Int64) -> BackupFigures {
        var figures = BackupFigures()
        figures.byteCount = byteCount
        figures.rowCount = manifest.rowCount
        figures.objectsCopied = manifest.objectCount
        return figures
    }
}

extension Services {
    /// What a backup of this server contains.
    var backupSubject: BackupSubject {
        let head = "\(settings.dataFolder)/ledger.head"
        return BackupSubject(
            database: database, objects: objects, temporaryPrefix: AccountImportService.objectPrefix,
            keys: Dictionary(uniqueKeysWithValues: keys.keys.map { ($0.key.name, $0.value) }),
            settings: settings.text.text,
            ledgerHead: { try DurableFile(head).read(limit: Limits.ledgerHeadBytes) })
    }

    /// Returns the names of the backups in the repository of `HOMEWARD_BACKUPS`, and which of them are complete.
    /// - Throws: ``SettingError`` if there is none, or it can't be reached.
    package func checkBackups() async throws -> [(name: BackupName, isComplete: Bool)] {
        try await BackupRepository.names(in: try await openBackups())
    }

    /// Opens the store of `HOMEWARD_BACKUPS`.
    func openBackups() async throws -> any ObjectStore {
        try await settings.openBackups(clock: clock, random: random, logger: logger)
    }
}
