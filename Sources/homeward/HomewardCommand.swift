import ArgumentParser
import Foundation
import Pictures
import Server

/// The entry point. It starts the picture worker before any other set-up: the worker decodes untrusted data and needs
/// no part of the server.
@main
enum Program {
    static func main() async {
        if CommandLine.arguments.dropFirst().first == PictureWorker.argument { PictureWorker.runWorker() }
        // The reader of our output may close the pipe, which must not end the program.
        signal(SIGPIPE, SIG_IGN)
        await HomewardCommand.main()
    }
}

struct HomewardCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "homeward",
        abstract: "Finds your things, runs your family and carries your neighbours' parcels.",
        discussion: """
            Every setting can be given as a flag, as an environment variable (HOMEWARD_LISTEN for --listen) or in a file \
            of such variables (--config); the first of these that says something holds. All commands work beside a \
            running server.
            """,
        version: Services.version,
        subcommands: [
            ServeCommand.self, SetupCodeCommand.self, HealthCommand.self, DoctorCommand.self, DemoCommand.self,
            MigrateCommand.self, BackupCommand.self, BackupsCommand.self, RestoreCommand.self, VerifyCommand.self,
            FixesCommand.self, AccountCommand.self, WalletCommand.self, JobsCommand.self, KeysCommand.self,
            OpenAPICommand.self,
        ],
        defaultSubcommand: ServeCommand.self
    )
}

/// The reason why a command failed, for the person who ran it.
struct CommandError: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
