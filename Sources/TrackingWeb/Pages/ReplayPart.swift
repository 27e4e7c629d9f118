import Kernel
import Tracking
import WebCore

/// The part of a form that lists what would have come last month with the typed settings.
struct ReplayPart: Sendable {
    /// What was replayed, and from how many positions.
    let replayNote: String
    let replayRows: [ReplayRow]
    let hasReplayRows: Bool
    /// The number of further alerts; `nil` for none.
    let replayMore: String?

    init(_ replay: Replay, itemName: String, t: Translator, formatter: TrackingFormatter) {
        let days = String(Limits.replayDays)
        let note = t(
            "From {n} position of the last {days} days.", plural: "From {n} positions of the last {days} days.",
            count: replay.fixCount, ["days": days])
        replayNote = replay.isCut ? note + " " + t("Only the oldest positions are compared.") : note
        replayRows = replay.alerts.map { ReplayRow($0, itemName: itemName, place: replay.placeName, t: t, formatter) }
        hasReplayRows = !replayRows.isEmpty
        let more = replay.alertCount - replay.alerts.count
        replayMore = more > 0 ? t("And {n} more.", plural: "And {n} more.", count: more) : nil
    }
}

/// One alert that would have come.
struct ReplayRow: Sendable {
    let replayTitle: String
    let replayMoment: FormattedTime

    init(
        _ alert: ReplayedAlert, itemName: String, place: String, t: Translator, _ formatter: TrackingFormatter
    ) {
        let values: KeyValuePairs = ["name": itemName, "place": place]
        replayTitle =
            switch alert.kind {
            case .arrived: t("{name} arrived at {place}", values)
            case .left: t("{name} left {place}", values)
            case .notArrived: t("{name} hasn’t arrived at {place}", values)
            case .batteryLow: t("The battery of {name} was low", ["name": itemName])
            case .silent: t("{name} didn’t report", ["name": itemName])
            case .separation, .moved: itemName
            }
        replayMoment = FormattedTime(alert.at, formatter.times)
    }
}

/// A replay as JSON.
struct ReplayJSON: Encodable {
    struct Alert: Encodable {
        let kind: String
        let at: Instant
    }

    let alerts: [Alert]
    let alertCount: Int
    let fixCount: Int
    let isCut: Bool

    init(_ replay: Replay) {
        alerts = replay.alerts.map { Alert(kind: $0.kind.rawValue, at: $0.at) }
        alertCount = replay.alertCount
        fixCount = replay.fixCount
        isCut = replay.isCut
    }
}
