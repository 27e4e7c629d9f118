import ArgumentParser
import Backups
import Kernel
import Server

struct BackupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Writes an encrypted backup of the whole server, while it runs.",
        discussion: """
            The backup contains the database, on either engine, the pictures, the archive of positions, the keys and the \
            settings. A file gets its name once it is read back, opened, verified and counted. `homeward keys recovery` \
            prints the key that restores it.
            """
    )

    @Argument(help: "The new file, or - for standard output, which can't be checked. Without it, HOMEWARD_BACKUPS.")
    var file: String?

    @OptionGroup var options: SettingOptions

    func run() async throws {
        let progress = ProgressPrinter()
        try await options.withServices { services in
            // Without it, the error comes before a key is created.
            if file == nil { _ = try await services.checkBackups() }
            let folder = services.settings.dataFolder
            let (key, isNew) = try BackupKey.open(in: folder, random: services.random)
            if isNew { Output.note(Self.advice(folder)) }
            let backups = BackupService(services) { progress.show($0) }
            defer { progress.end() }
            switch file {
            case nil:
                let backup = try await backups.write(to: try await backups.repository(key: key))
                progress.end()
                Output.line("\(backup.name) is \(Self.words(for: backup.manifest)). It was read back and checked.")
            case "-":
                let manifest = try await backups.writeToStandardOutput(key: key)
                progress.end()
                Output.note(
                    "Standard output has \(Self.words(for: manifest)). Check it with: homeward backups check FILE")
            case let file?:
                let manifest = try await backups.write(to: file, key: key)
                progress.end()
                Output.line("\(file) has \(Self.words(for: manifest)). It was read back and checked.")
            }
        }
    }

    static func words(for manifest: BackupManifest) -> String {
        """
        a backup of \(manifest.createdAt): rows: \(manifest.rowCount), \
        pictures and archived positions: \(manifest.objectCount)
        """
    }

    static func advice(_ folder: String) -> String {
        """
        A key for backups was created: \(folder)/\(BackupKey.fileName). Run `homeward keys recovery` and keep the printed \
        key apart from this server. Without it, no backup can be restored on another machine.
        """
    }
}

struct RestoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Replaces the content of this server by a backup's, on SQLite or PostgreSQL.",
        discussion: """
            The whole backup is read and checked before anything is changed. A copy of the present content of the \
            database is kept. The keys come from the backup; to decrypt it, the recovery key is needed on a new machine. \
            `homeward fixes rebuild` then brings back the positions that came in since the backup. A restore that was \
            interrupted can be repeated. Copies of the SQLite file that earlier versions wrote can be restored as \
            well; put their key files into HOMEWARD_DATA first.
            """
    )

    @Argument(help: "The backup's file; or, with HOMEWARD_BACKUPS, its name or: latest.")
    var backup: String

    @Flag(help: "Signs everyone out: sessions that were ended since the backup would work again.")
    var endSessions = false

    @Flag(help: "Replaces content that has other keys, or that is in PostgreSQL. Stop the server first.")
    var replace = false

    @OptionGroup var keyOptions: BackupKeyOptions
    @OptionGroup var options: SettingOptions

    func run() async throws {
        let source = BackupArgument(backup).source
        if case .file(let file) = source, try BackupFormat.isDatabase(file) {
            return try await restoreDatabase(file)
        }
        let settings = try await options.settings()
        let logger = options.startLog(settings)
        let progress = ProgressPrinter()
        do {
            let key = try keyOptions.key(dataFolder: settings.dataFolder)
            let service = RestoreService(
                settings, executable: CurrentExecutable.path, logger: logger, progress: { progress.show($0) })
            let result = try await service.restore(
                source, key: key, endsSessions: endSessions, replaces: replace)
            progress.end()
            printResult(result)
        } catch {
            progress.end()
            throw CommandError(SettingOptions.words(for: error))
        }
    }

    private func restoreDatabase(_ file: String) async throws {
        try await options.withServices(keyCheck: .backup, opening: .creating) { services in
            let copy = try await services.restore(from: file, endsSessions: endSessions)
            Output.line("The content of \(file) is in place. \(Self.words(forCopy: copy))")
        }
    }

    private func printResult(_ result: RestoreService.Result) {
        let manifest = result.manifest
        let copy = Self.words(forCopy: result.previousCopy)
        Output.line("\(backup) is restored: \(BackupCommand.words(for: manifest)). \(copy)")
        Output.line(
            """
            \(result.settingsFile) has the settings of the server that made the backup. Check HOMEWARD_URL, \
            HOMEWARD_LISTEN, HOMEWARD_DATABASE, HOMEWARD_OBJECTS and paths before you use it here. It contains secrets.
            """)
        if result.hasNewKeys { Output.line("The keys of the backup are in place. Restart servers that run.") }
        if let problem = result.ledgerProblem {
            Output.line("In the backup, \(problem). It was so on the server. Run: homeward verify")
        }
    }

    private static func words(forCopy copy: String?) -> String {
        copy.map { "What was there before is in \($0)." } ?? "There was nothing before."
    }
}
