import Accounts
import ArgumentParser
import Kernel
import Server

struct SetupCodeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "setup-code",
        abstract: "Prints a one-time code for the set-up page of a server that has no administrator yet.",
        discussion: "The person who enters it at /setup creates the administrator's account."
    )

    @OptionGroup var options: SettingOptions

    func run() async throws {
        try await options.withServices { services in
            Output.line(try await services.accounts.setup.createCode())
            Output.line("Enter it at \(services.settings.url)/setup")
        }
    }
}
