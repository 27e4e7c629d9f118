import Carrepsa
import Kernel
import Ledger
import WebCore

/// The view model of the open or of the decided disputes.
struct DisputeListPage: Sendable {
    let shell: Shell
    let segments: [ListSegment]
    let reloadURL: String
    let disputes: [DisputeRow]
    let isEmpty: Bool
    let isDecided: Bool
    /// Until when a decided case can be opened.
    let decidedNote: String
    let moreURL: String?

    init(
        _ context: SignedInContext, _ page: ListPage<DisputeCase>, isDecided: Bool, after: String?, t: Translator,
        formatter: CarrepsaFormatter
    ) {
        shell = Shell(
            context, title: t("In dispute"), menu: .carrepsa(t), tab: CarrepsaTab.profile.rawValue,
            isRefreshable: true, back: ShellBack(url: CarrepsaPath.profile, label: t("Profile"))
        )
        segments = [
            ListSegment(segmentURL: CarrepsaPath.disputes, label: t("Open"), isCurrent: !isDecided),
            ListSegment(segmentURL: CarrepsaPath.decidedDisputes, label: t("Decided"), isCurrent: isDecided),
        ]
        let here = isDecided ? CarrepsaPath.decidedDisputes + "&" : CarrepsaPath.disputes + "?"
        reloadURL = after.map { "\(here)after=\(PercentEncoding.encoded($0))" } ?? String(here.dropLast())
        disputes = page.items.map { DisputeRow($0, t, formatter) }
        isEmpty = page.items.isEmpty
        self.isDecided = isDecided
        decidedNote = t(
            "You can open a case until {n} day after its end.",
            plural: "You can open a case until {n} days after its end.",
            count: Limits.decidedCaseSeconds.wholeDays)
        moreURL = page.next.map { "\(here)after=\(PercentEncoding.encoded($0))" }
    }
}

/// A package in dispute, or whose dispute was decided.
struct DisputeRow: Sendable {
    let disputeURL: String
    let subject: String
    /// The names of owner and carrier.
    let sides: String
    /// The text of the owner or carrier who opened the dispute; empty if the clock did.
    let reason: String
    let hasReason: Bool
    let sumText: String
    /// When the problem was reported, or decided.
    let sinceMoment: FormattedTime
    /// The decision and its result; `nil` before.
    let decision: DecidedCase?
    /// Whether another administrator decides the appeal.
    let isOfOthers: Bool

    /// What was decided.
    struct DecidedCase: Sendable {
        let outcomeLabel: String
        let outcomeSplit: SplitText
        let decisionReason: String
        let stateBadge: CardBadge
    }

    init(_ dispute: DisputeCase, _ t: Translator, _ formatter: CarrepsaFormatter) {
        let package = dispute.package
        disputeURL = CarrepsaPath.package(package.id)
        subject = package.title
        sides = [package.owner, package.carrier].map { $0?.name ?? t("Former member") }.isolated(separator: " → ")
        reason = package.disputeReason ?? ""
        hasReason = !reason.isEmpty
        sumText = formatter.money(package.reward + package.moneyLock)
        isOfOthers = dispute.isOfOthers
        sinceMoment = FormattedTime(dispute.decision?.at ?? package.disputedAt ?? package.createdAt, formatter.times)
        decision = dispute.decision.map { decision in
            DecidedCase(
                outcomeLabel: decision.outcome.label(t),
                outcomeSplit: SplitText(decision.split, of: package, seenBy: .operator, t, formatter),
                decisionReason: dispute.reason ?? "",
                stateBadge: package.state == .travelling
                    ? CardBadge(word: t("Not in effect yet"), kind: "badge-warning")
                    : CardBadge(word: t("Ended"), kind: ""))
        }
    }
}

/// The view model of the ledger's status.
struct LedgerPage: Sendable {
    let shell: Shell
    let isSound: Bool
    let sums: [LedgerFact]
    let figures: [LedgerFact]
    let sealedMoment: FormattedTime?

    init(
        _ context: SignedInContext, _ ledger: LedgerStatus, _ totals: LedgerTotals, t: Translator,
        formatter: CarrepsaFormatter
    ) {
        shell = Shell(
            context, title: t("Ledger"), menu: .carrepsa(t), tab: CarrepsaTab.profile.rawValue,
            isRefreshable: true, back: ShellBack(url: CarrepsaPath.profile, label: t("Profile"))
        )
        isSound = totals.sums.values.allSatisfy { $0 == 0 }
        sums = totals.sums.sorted { $0.key < $1.key }.map { unit, sum in
            if unit == formatter.currency.code {
                return LedgerFact(ledgerLabel: unit, ledgerText: formatter.money(Int64(clamping: sum)))
            }
            let label = unit == EvidenceLedger.unit ? t("Sealed records") : unit == "points" ? t("Points") : unit
            return LedgerFact(ledgerLabel: label, ledgerText: t.language.grouped(String(sum)))
        }
        figures = [
            LedgerFact(ledgerLabel: t("Accounts"), ledgerText: t.language.grouped(String(totals.accounts))),
            LedgerFact(ledgerLabel: t("Sealed batches"), ledgerText: t.language.grouped(String(ledger.lastBatch))),
            LedgerFact(ledgerLabel: t("Waiting to be sealed"), ledgerText: t.language.grouped(String(ledger.unsealed))),
        ]
        sealedMoment = ledger.sealedAt.map { FormattedTime($0, formatter.times) }
    }
}

/// A labelled figure.
struct LedgerFact: Sendable {
    let ledgerLabel: String
    let ledgerText: String
}
