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

extension QuarantineReason {
    /// Returns the reason as a sentence.
    func sentence(_ t: Translator) -> String {
        switch self {
        case .unreadableNumber: t("A number can’t be read.")
        case .unreadableTime: t("The time can’t be read or is missing.")
        case .placeOutOfRange: t("The place is not on Earth.")
        case .numberOutOfRange: t("A number is beyond what can be: accuracy, altitude, speed, direction or battery.")
        case .timeOutOfRange: t("The time is before 2000 or in the future.")
        case .markedInvalid: t("The device said the position is not valid.")
        case .otherPlaceAtThatTime: t("The device was at another place at that time.")
        case .unknownSender: t("It came through the cloud, and no tracker vouches for it.")
        case .historyFull: t("The history is full.")
        case .undecryptable: t("It can’t be decrypted. Compare the encryption key.")
        case .unexpectedShape: t("It isn’t what this app sends.")
        }
    }
}
