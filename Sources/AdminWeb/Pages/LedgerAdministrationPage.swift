import Kernel
import Ledger
import WebCore

/// The view model of the ledger's state and verifications.
struct LedgerAdministrationPage: Sendable {
    let shell: Shell
    let formURL: String
    let isVerifying: Bool
    let isEmpty: Bool
    let runs: [AdminRow]
    let facts: [AdminFact]
    let sealedMoment: FormattedTime?
    /// The digest of the newest batch; `nil` before the first.
    let headText: String?

    init(_ context: SignedInContext, _ details: LedgerDetails) {
        let t = context.t
        let times = TimeFormatter(t, now: context.web.clock.now)
        let status = details.status
        formURL = "\(AdminPath.ledger)/verifications"
        isVerifying = details.isVerifying
        runs = details.runs.map { AdminRow($0, t, times) }
        isEmpty = runs.isEmpty
        facts = [
            AdminFact(factLabel: t("Sealed batches"), factText: t.language.grouped(String(status.lastBatch))),
            AdminFact(factLabel: t("Waiting to be sealed"), factText: t.language.grouped(String(status.unsealed))),
        ]
        sealedMoment = status.sealedAt.map { FormattedTime($0, times) }
        headText = status.head
        shell = .admin(context, title: t("Ledger"), isRefreshable: true)
    }
}

extension AdminRow {
    /// A verification in the list.
    fileprivate init(_ run: LedgerVerificationRun, _ t: Translator, _ times: TimeFormatter) {
        let (icon, result) =
            switch run.result {
            case .sound: ("shield-check", t("Sound"))
            case .damaged:
                (
                    "triangle-alert",
                    t("{n} row doesn’t match", plural: "{n} rows don’t match", count: run.findingCount)
                )
            case .failed: ("triangle-alert", t("Failed"))
            }
        let scope = t("{n} transfer verified", plural: "{n} transfers verified", count: run.transferCount)
        self.init(
            icon: icon, title: result, notes: [run.result == .failed ? nil : scope], verbatim: [run.reason],
            moment: FormattedTime(run.finishedAt, times))
    }
}
