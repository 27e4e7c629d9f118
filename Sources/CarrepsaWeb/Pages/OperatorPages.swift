import Carrepsa
import Kernel
import Ledger
import WebCore

/// The view model of the open disputes.
struct DisputeListPage: Sendable {
    let shell: Shell
    let reloadURL: String
    let disputes: [DisputeRow]
    let isEmpty: Bool
    let moreURL: String?

    init(
        _ context: SignedInContext, _ page: ListPage<Package>, after: String?, t: Translator,
        formatter: CarrepsaFormatter
    ) {
        shell = Shell(
            context, title: t("In dispute"), menu: .carrepsa(t), tab: CarrepsaTab.profile.rawValue,
            isRefreshable: true, back: ShellBack(url: CarrepsaPath.profile, label: t("Profile"))
        )
        reloadURL = CarrepsaPath.disputes + (after.map { "?after=\(PercentEncoding.encoded($0))" } ?? "")
        disputes = page.items.map { DisputeRow($0, t, formatter) }
        isEmpty = page.items.isEmpty
        moreURL = page.next.map { "\(CarrepsaPath.disputes)?after=\(PercentEncoding.encoded($0))" }
    }
}

/// A package in dispute.
struct DisputeRow: Sendable {
    let disputeURL: String
    let subject: String
    /// The names of owner and carrier.
    let sides: String
    /// The text of the party that opened the dispute; empty if the clock did.
    let reason: String
    let hasReason: Bool
    let sumText: String
    let sinceMoment: FormattedTime

    init(_ package: Package, _ t: Translator, _ formatter: CarrepsaFormatter) {
        disputeURL = CarrepsaPath.package(package.id)
        subject = package.title
        sides = [package.owner, package.carrier].map { $0?.name ?? t("Former member") }.joined(separator: " → ")
        reason = package.disputeReason ?? ""
        hasReason = !reason.isEmpty
        sumText = formatter.money(package.reward + package.moneyLock)
        sinceMoment = FormattedTime(package.disputedAt ?? package.createdAt, formatter.times)
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
            let text = unit == formatter.currency.code ? formatter.money(Int64(clamping: sum)) : "\(sum) \(unit)"
            return LedgerFact(ledgerLabel: unit, ledgerText: text)
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
