import Tracking
import WebCore

/// The page of the messages that could not be used.
struct QuarantinePage: Sendable {
    let shell: Shell
    let t: TrackingStrings
    let rows: [QuarantineRow]
    let isEmpty: Bool
    let moreURL: String?

    init(
        _ context: SignedInContext, entries: [QuarantineEntry], next: String?, names: [String: String],
        t: TrackingStrings, formatter: TrackingFormatter
    ) {
        shell = Shell(
            context, title: t.quarantine.title, menu: .tracking(t), tab: "items", isLargeTitle: false,
            back: ShellBack(url: TrackingPath.sources, label: t.sources.title)
        )
        self.t = t
        rows = entries.map { QuarantineRow($0, name: names[$0.sourceID], t: t, formatter: formatter) }
        isEmpty = entries.isEmpty
        moreURL = next.map { TrackingPath.quarantine + "?after=" + PathSegment.encoded($0) }
    }
}

/// One message that could not be used.
struct QuarantineRow: Sendable {
    let reason: String
    let from: String?
    let moment: Moment

    init(_ entry: QuarantineEntry, name: String?, t: TrackingStrings, formatter: TrackingFormatter) {
        reason = entry.reason.sentence(t.quarantine)
        from = name.map { TrackingStrings.fill(t.quarantine.from, ["name": $0]) }
        moment = Moment(entry.receivedAt, formatter)
    }
}

extension QuarantineReason {
    /// Returns the reason as a sentence.
    func sentence(_ t: QuarantineStrings) -> String {
        switch self {
        case .unreadableNumber: t.unreadableNumber
        case .unreadableTime: t.unreadableTime
        case .placeOutOfRange: t.placeOutOfRange
        case .numberOutOfRange: t.numberOutOfRange
        case .timeOutOfRange: t.timeOutOfRange
        case .markedInvalid: t.markedInvalid
        case .otherPlaceAtThatTime: t.otherPlaceAtThatTime
        case .unknownSender: t.unknownSender
        case .historyFull: t.historyFull
        case .undecryptable: t.undecryptable
        case .unexpectedShape: t.unexpectedShape
        }
    }
}
