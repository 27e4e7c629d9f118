import ArgumentParser
import Carrepsa
import Kernel
import Ledger
import Server

struct VerifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Replays the whole ledger, compares it with the packages, and names each row that doesn't fit.",
        discussion: """
            Works beside a running server. Bytes are counted from 0. Ends with status 1 when anything doesn't fit.
            """
    )

    @OptionGroup var options: SettingOptions

    func run() async throws {
        var result = LedgerVerificationResult()
        var misplaced: [EscrowMismatch] = []
        var evidence: [LedgerFinding] = []
        var recordingError: (any Error)?
        try await options.withServices { services in
            let found = try await LedgerVerificationService(services).verify()
            (result, misplaced, evidence) = (found.ledger, found.escrow, found.evidence)
            recordingError = found.recordingError
        }
        for finding in result.findings + evidence { Output.line(Self.words(for: finding)) }
        for finding in misplaced { Output.line(Self.words(for: finding)) }
        if max(result.findings.count, misplaced.count, evidence.count) >= Limits.ledgerFindings {
            Output.line("There may be more; these are the first.")
        }
        Output.line(Self.summary(result))
        if let recordingError { Output.note("The result could not be stored: \(recordingError)") }
        guard result.isSound, misplaced.isEmpty, evidence.isEmpty else { throw ExitCode.failure }
    }

    private static func words(for finding: LedgerFinding) -> String {
        let row = finding.row.isEmpty ? finding.table : "\(finding.table) \(finding.row)"
        let place = [finding.column.map { "column \($0)" }, finding.firstByte.map { "byte \($0)" }].compactMap(\.self)
        return place.isEmpty
            ? "\(row): \(finding.reason)" : "\(row), \(place.joined(separator: ", ")): \(finding.reason)"
    }

    private static func words(for finding: EscrowMismatch) -> String {
        """
        carrepsa_package \(finding.package): its account holds \(finding.held), its state asks for \(finding.expected)
        """
    }

    private static func summary(_ result: LedgerVerificationResult) -> String {
        let sums = result.sums.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
        let verdict = result.isSound ? "The ledger is sound" : "The ledger is NOT sound"
        return """
            \(verdict): \(result.accounts) accounts, \(result.transfers) transfers, \(result.movements) movements, \
            \(result.batches) batches, \(result.unsealed) transfers not sealed yet. \
            Sum of all accounts: \(sums.isEmpty ? "0" : sums).
            """
    }
}
