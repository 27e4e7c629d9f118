import ArgumentParser
import Foundation
import Pictures

/// The program's beginning. A picture's worker is told apart before anything else is set up: it decodes what strangers
/// send, and has no need of anything that the server has.
@main
enum Program {
    static func main() async {
        if CommandLine.arguments.dropFirst().first == PictureWorker.argument { PictureWorker.runWorker() }
        // Whoever reads our output may stop reading; that is no reason to end.
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
        version: "0.1.0",
        subcommands: [
            ServeCommand.self, DemoCommand.self, MigrateCommand.self, BackupCommand.self, RestoreCommand.self,
            VerifyCommand.self, FixesCommand.self, AccountCommand.self, WalletCommand.self, KeysCommand.self,
            OpenAPICommand.self,
        ],
        defaultSubcommand: ServeCommand.self
    )
}

/// Why a command ended, in words for who typed it.
struct CommandFailure: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
