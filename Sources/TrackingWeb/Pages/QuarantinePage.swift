import Kernel
import Tracking
import WebCore

/// The page of the messages that could not be used.
struct QuarantinePage: Sendable {
    let shell: Shell
    let rows: [QuarantineRow]
    let isEmpty: Bool
    let note: String
    let moreURL: String?

    init(
        _ context: SignedInContext, entries: [QuarantineEntry], next: String?, names: [String: String],
        t: Translator, formatter: TrackingFormatter
    ) {
        shell = Shell(
            context, title: t("Not understood"), menu: .tracking(t), tab: "items", isLargeTitle: false,
            back: ShellBack(url: TrackingPath.sources, label: t("Phones and apps"))
        )
        rows = entries.map { QuarantineRow($0, name: names[$0.sourceID], t: t, formatter: formatter) }
        isEmpty = entries.isEmpty
        note = t(
            "Reports that arrived but could not be used, kept for {n} day.",
            plural: "Reports that arrived but could not be used, kept for {n} days.",
            count: Limits.quarantineSeconds.wholeDays)
        moreURL = next.map { TrackingPath.quarantine + "?after=" + PercentEncoding.encoded($0) }
    }
}

/// One message that could not be used.
struct QuarantineRow: Sendable {
    let reason: String
    let from: String?
    let moment: FormattedTime

    init(_ entry: QuarantineEntry, name: String?, t: Translator, formatter: TrackingFormatter) {
        reason = entry.reason.sentence(t)
        from = name.map { t("From {name}", ["name": $0]) }
        moment = FormattedTime(entry.receivedAt, formatter.times)
    }
}
