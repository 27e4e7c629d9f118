import AdminWeb
import ArgumentParser
import Kernel
import Server

struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Checks the server and its settings, and says what to do.",
        discussion: "Ends with status 1 if something doesn't work. The server can run or be stopped."
    )

    @OptionGroup var options: SettingOptions

    func run() async throws {
        var hasProblem = false
        try await options.withServices { services in
            for finding in await ServerDoctor(services).findings() {
                hasProblem = hasProblem || finding.level == .problem
                Output.line("\(Self.mark(finding.level)) \(finding.message(.english))")
                if let advice = finding.advice(.english) { Output.line("        \(advice)") }
            }
        }
        guard !hasProblem else { throw ExitCode.failure }
    }

    private static func mark(_ level: Finding.Level) -> String {
        switch level {
        case .good: "good   "
        case .note: "note   "
        case .problem: "problem"
        }
    }
}
