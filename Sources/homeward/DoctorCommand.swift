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
        let settings = try await options.settings()
        let findings: [Finding]
        do {
            let services = try await options.open(settings)
            findings = await ServerDoctor(services).findings()
            await services.close()
        } catch {
            // A wrong key or schema, or a database that can't be reached, prevents all other checks.
            findings = [.cannotStart(SettingOptions.words(for: error))]
        }
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
