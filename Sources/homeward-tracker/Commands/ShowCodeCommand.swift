import ArgumentParser
import Foundation
import TrackerCore
import TrackerProtocol

struct ShowCodeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show-code",
        abstract: "Print the claim code of a tracker that waits for an owner."
    )

    @Option(help: "The file with settings (default: \(BoardSettingSources.standardFile), if it is there).")
    var config: String?

    @Option(help: ArgumentHelp(BoardSetting.state.help, valueName: "folder"))
    var state: String?

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
        let folder = try folder()
        guard let record = try StateFolder(path: folder).load() else { throw Failure.noTracker(folder: folder) }
        switch record.memory.phase {
        case .unbound, .registering:
            StandardOutput.writeLine(record.identity.claimCode.description)
            guard record.memory.phase == .unbound else { return }
            let note = "The tracker hasn't reached its server yet: the code works as soon as it has.\n"
            try? FileHandle.standardError.write(contentsOf: Data(note.utf8))
        case .bound, .active, .off, .releasing:
            throw Failure.hasOwner
        }
    }

    // The same folder as the service's, from the same settings.
    private func folder() throws -> String {
        do throws(BoardSettingSources.Failure) {
            let flags = state.map { [BoardSetting.state: $0] } ?? [:]
            let environment = ProcessInfo.processInfo.environment
            let file = try BoardSettingSources.file(at: config)
            let sources = try BoardSettingSources(flags: flags, environment: environment, file: file)
            return sources.text(.state) ?? BoardSetting.state.standard
        } catch {
            throw ValidationError(error.description)
        }
    }
}
