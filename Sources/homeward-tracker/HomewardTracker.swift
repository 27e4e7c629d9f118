import ArgumentParser

@main
struct HomewardTracker: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "homeward-tracker",
        abstract: "The tracker that hangs on your things.",
        subcommands: [RunCommand.self, SimulateCommand.self, ShowCodeCommand.self, SelfTestCommand.self]
    )
}
