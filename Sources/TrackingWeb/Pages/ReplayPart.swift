import Kernel
import Tracking
import WebCore

/// The part of a page that lists what would have come last month with other settings.
struct ReplayPart: Sendable {
    let replayHeading: String
    /// From how many positions and comparisons it was replayed.
    let replayNotes: [String]
    let replayRows: [ReplayRow]
    let hasReplayRows: Bool
    /// What a replay without alerts says.
    let replayEmptyText: String
    /// The number of further alerts; `nil` for none.
    let replayMore: String?

    /// - Parameters:
    ///   - heading: The heading; `nil` for the usual one.
    ///   - itemName: The name of the replayed item; empty in a replay of several.
    ///   - saysWhatIsKept: Whether the part says what the server keeps of phones.
    init(
        _ replay: Replay, heading: String? = nil, itemName: String = "", saysWhatIsKept: Bool = true, t: Translator,
        formatter: TrackingFormatter
    ) {
        replayHeading = heading ?? t("What would have come")
        let isWithoutData = (replay.fixCount ?? 0) + (replay.comparisonCount ?? 0) == 0
        replayNotes = isWithoutData ? [] : Self.notes(replay, saysWhatIsKept: saysWhatIsKept, t)
        replayEmptyText =
            isWithoutData
            ? t(
                "There was nothing to compare in the last {n} day.",
                plural: "There was nothing to compare in the last {n} days.", count: Int(Limits.replayDays))
            : t("No alerts would have come.")
        replayRows = replay.alerts.map { ReplayRow($0, itemName: itemName, place: replay.placeName, t: t, formatter) }
        hasReplayRows = !replayRows.isEmpty
        let more = replay.alertCount - replay.alerts.count
        replayMore = more > 0 ? t("And {n} more.", plural: "And {n} more.", count: more) : nil
    }

    private static func notes(_ replay: Replay, saysWhatIsKept: Bool, _ t: Translator) -> [String] {
        let days = String(Limits.replayDays)
        var notes: [String] = []
        if let count = replay.fixCount {
            notes.append(
                t(
                    "From {n} position of the last {days} days.",
                    plural: "From {n} positions of the last {days} days.", count: count, ["days": days]))
        }
        if let count = replay.comparisonCount {
            notes.append(
                t(
                    "From {n} comparison with your phone in the last {days} days.",
                    plural: "From {n} comparisons with your phone in the last {days} days.", count: count,
                    ["days": days]))
        }
        if replay.comparisonCount != nil, saysWhatIsKept {
            notes.append(
                t(
                    """
                    For these days, the server keeps how far each item was from your phone, but not where your phone \
                    was.
                    """))
        }
        return replay.isCut ? notes + [t("Only the oldest positions are compared.")] : notes
    }
}

/// One alert that would have come.
struct ReplayRow: Sendable {
    let replayTitle: String
    let replayMoment: FormattedTime

    init(
        _ alert: ReplayedAlert, itemName: String, place: String, t: Translator, _ formatter: TrackingFormatter
    ) {
        let itemName = alert.itemName ?? itemName
        let values: KeyValuePairs = ["name": itemName, "place": place]
        replayTitle =
            switch alert.kind {
            case .arrived: t("{name} arrived at {place}", values)
            case .left: t("{name} left {place}", values)
            case .notArrived: t("{name} hasn’t arrived at {place}", values)
            case .batteryLow: t("The battery of {name} was low", ["name": itemName])
            case .silent: t("{name} didn’t report", ["name": itemName])
            case .separation: t("{name} was too far from your phone", ["name": itemName])
            case .moved: t("{name} moved while it was parked", ["name": itemName])
            }
        replayMoment = FormattedTime(alert.at, formatter.times)
    }
}

/// A replay as JSON.
struct ReplayJSON: Encodable {
    struct Alert: Encodable {
        let kind: String
        let at: Instant
        /// `null` in a replay of one item.
        let itemName: String?
    }

    let alerts: [Alert]
    let alertCount: Int
    /// `null` without rules about positions.
    let fixCount: Int?
    /// `null` without separations.
    let comparisonCount: Int?
    let isCut: Bool

    init(_ replay: Replay) {
        alerts = replay.alerts.map { Alert(kind: $0.kind.rawValue, at: $0.at, itemName: $0.itemName) }
        alertCount = replay.alertCount
        fixCount = replay.fixCount
        comparisonCount = replay.comparisonCount
        isCut = replay.isCut
    }
}
