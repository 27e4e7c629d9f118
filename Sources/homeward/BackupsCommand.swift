import ArgumentParser
import Backups
import Foundation
import Kernel
import Server

struct BackupsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backups", abstract: "Lists and checks backups.", subcommands: [List.self, Check.self],
        defaultSubcommand: List.self
    )

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Lists the backups in HOMEWARD_BACKUPS, and the newest attempts to write one.",
            discussion: """
                Prints of each attempt the time, the result (proved: read back and checked), the bytes, the rows, the \
                objects that it copied and that earlier backups had, and its name or file.
                """
        )

        @OptionGroup var options: SettingOptions

        func run() async throws {
            try await options.withServices { services in
                var present: Set<String> = []
                if services.settings.backups.address != nil {
                    for (name, isComplete) in try await services.checkBackups() {
                        if isComplete { present.insert("\(name)") }
                        Output.line("\(name)\t\(isComplete ? "complete" : "incomplete")")
                    }
                }
                for run in try await services.backupStatus.runs() {
                    let place = run.name ?? run.destination
                    let words = [
                        run.startedAt.rfc3339, run.result.rawValue, "\(run.byteCount)", "\(run.rowCount)",
                        "\(run.objectsCopied)", "\(run.objectsReused)", place, run.reason ?? "",
                    ]
                    Output.line(words.joined(separator: "\t"))
                }
            }
        }
    }

    struct Check: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract:
                "Reads a backup completely: decrypts it, opens its database, verifies its ledger, counts its rows."
        )

        @Argument(help: "The backup's file; or, with HOMEWARD_BACKUPS, its name or: latest.")
        var backup = BackupArgument.latest

        @OptionGroup var keyOptions: BackupKeyOptions
        @OptionGroup var options: SettingOptions

        func run() async throws {
            let progress = ProgressPrinter()
            try await options.withServices { services in
                let key = try keyOptions.key(dataFolder: services.settings.dataFolder)
                let backups = BackupService(services) { progress.show($0) }
                defer { progress.end() }
                let manifest: BackupManifest
                switch BackupArgument(backup).source {
                case .file(let path): manifest = try await backups.check(path, key: key)
                case .repository(let name):
                    let repository = try await backups.repository(key: key)
                    let found = if let name { try await repository.find(name) } else { try await repository.latest() }
                    guard let found else { throw CommandError("There is no complete backup.") }
                    try await backups.checkAll(found, in: repository)
                    manifest = found.manifest
                }
                progress.end()
                Output.line("\(backup) is complete. It is \(BackupCommand.words(for: manifest)).")
            }
        }
    }
}

/// The backup that a command names: a file, or one in the repository.
struct BackupArgument {
    static let latest = "latest"

    let source: RestoreService.Source

    /// A file of that name takes precedence.
    init(_ text: String) {
        if FileManager.default.fileExists(atPath: text) {
            source = .file(text)
        } else if text == Self.latest {
            source = .repository(nil)
        } else if let name = BackupName(text) {
            source = .repository(name)
        } else {
            source = .file(text)
        }
    }
}
