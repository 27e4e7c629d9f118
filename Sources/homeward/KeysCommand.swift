import ArgumentParser
import Kernel
import Server

struct KeysCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys", abstract: "Compares the key files with the database, and adopts others.",
        subcommands: [List.self, Adopt.self]
    )

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract:
                "Prints each key file and how it compares with the database: matches, differs, missing, unrecorded."
        )

        @OptionGroup var options: SettingOptions

        func run() async throws {
            try await options.withKeys { keys in
                let states = try await keys.states()
                for file in KeyFile.allCases { Output.line("\(file.name)\t\(states[file]?.rawValue ?? "")") }
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
            try await options.withKeys { keys in
                try await keys.adopt(chosen)
                for file in chosen { Output.line("\(file.name) is adopted. \(file.consequence)") }
            }
        }
    }
}
