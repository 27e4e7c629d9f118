import ArgumentParser

@main
struct HomewardTracker: AsyncParsableCommand {
    /// The version; also reported to finders.
    static let version = "0.1.0"

    static let configuration = CommandConfiguration(
        commandName: "homeward-tracker",
        abstract: "The tracker that hangs on your things.",
        version: version,
        subcommands: [RunCommand.self, SimulateCommand.self, ShowCodeCommand.self, SelfTestCommand.self]
    )
}
