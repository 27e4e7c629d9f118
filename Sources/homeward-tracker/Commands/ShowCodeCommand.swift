import ArgumentParser
import TrackerCore
import TrackerProtocol

struct ShowCodeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show-code",
        abstract: "Print the claim code of a tracker that waits for an owner."
    )

    @Option(help: ArgumentHelp("The folder that holds the tracker's state.", valueName: "folder"))
    var state = BoardSetting.state.standard

    private enum Failure: Error, CustomStringConvertible {
        case noTracker(folder: String)
        case hasOwner

        var description: String {
            switch self {
            case .noTracker(let folder): "There is no tracker in \(folder)."
            case .hasOwner: "The tracker has an owner; its code is spent. Release it in the app first."
            }
        }
    }

    func run() async throws {
        guard let record = try StateFolder(path: state).load() else {
            throw Failure.noTracker(folder: state)
        }
        switch record.memory.phase {
        case .unbound, .registering:
            StandardOutput.writeLine(record.identity.claimCode.description)
        case .bound, .active, .off, .releasing:
            throw Failure.hasOwner
        }
    }
}
