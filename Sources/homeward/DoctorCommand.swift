import AdminWeb
import ArgumentParser
import Kernel
import Server

struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Checks the server and its settings, and says what to do.",
        discussion: """
            Connects to the mail server and to the other services that the settings name. Changes nothing. Ends with status 1 \
            if something doesn't work. The server can run or be stopped.
            """
    )

    @OptionGroup var options: SettingOptions

    func run() async throws {
        let settings = try options.readSettings()
        let findings = await ServerDoctor.findings(
            settings, executable: CurrentExecutable.path, logger: options.startLog(settings))
        for finding in findings { Self.print(finding) }
        guard !findings.contains(where: { $0.level == .problem }) else { throw ExitCode.failure }
    }

    private static func print(_ finding: Finding) {
        Output.line("\(mark(finding.level)) \(finding.message(.english))")
        if let advice = finding.advice(.english) { Output.line("        \(advice)") }
    }

    private static func mark(_ level: Finding.Level) -> String {
        switch level {
        case .good: "good   "
        case .note: "note   "
        case .problem: "problem"
        }
    }
}
