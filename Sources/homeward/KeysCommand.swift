import ArgumentParser
import Backups
import Kernel
import Server

struct KeysCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys", abstract: "Compares the key files with the database, and adopts others.",
        subcommands: [List.self, Adopt.self, Recovery.self]
    )

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract:
                "Prints each key file and how it compares with the database: matches, differs, missing, unrecorded."
        )

        @OptionGroup var options: SettingOptions

        func run() async throws {
            try await options.withKeys(opening: .unchanged) { keys in
                let states = try await keys.states()
                for file in KeyFile.allCases { Output.line("\(file.name)\t\(states[file]?.rawValue ?? "")") }
            }
        }
    }

    struct Recovery: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Prints the recovery key, which decrypts this server's backups.",
            discussion: """
                Write it down, or save it in a password manager. Keep it apart from this server and from the backups: with both, \
                anyone can read everything; without it, no one can restore a backup. The key is created when it doesn't \
                exist yet.
                """
        )

        @OptionGroup var options: SettingOptions

        func run() async throws {
            let folder = try await options.settings().dataFolder
            do {
                if let key = try BackupKey.read("\(folder)/\(BackupKey.fileName)") {
                    return Output.line(key.recoveryKey)
                }
            } catch {
                throw CommandError(SettingOptions.words(for: error))
            }
            // Without a store, the folder is probably a wrong one.
            try await options.withKeys(opening: .unchanged) { _ in
                Output.line(try BackupKey.open(in: folder, random: SystemRandom()).key.recoveryKey)
            }
        }
    }

    struct Adopt: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Makes the database take the key files that you name as its own.",
            discussion: """
                Only for keys that are lost for good, after a restore without them. Stop all nodes first, and copy the files to \
                each node afterwards. A file that is missing is made.

                secret.key: \(KeyFile.secret.consequence)
                push.key: \(KeyFile.push.consequence)
                ledger.key: \(KeyFile.ledger.consequence)
                """
        )

        @Argument(help: "The files to adopt, each by its name, such as secret.key.")
        var files: [String]

        @OptionGroup var options: SettingOptions

        func run() async throws {
            let chosen = try files.map { name in
                guard let file = KeyFile(rawValue: name) else {
                    let names = KeyFile.allCases.map(\.name).joined(separator: ", ")
                    throw CommandError("\(name) is no key file: name \(names)")
                }
                return file
            }
            try await options.withKeys(opening: .existing) { keys in
                try await keys.adopt(chosen)
                for file in chosen { Output.line("\(file.name) is adopted. \(file.consequence)") }
            }
        }
    }
}
