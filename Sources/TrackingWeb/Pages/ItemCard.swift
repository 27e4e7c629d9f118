import Kernel
import Pictures
import Tracking
import WebCore

/// One item of the list. Every optional has a name that no enclosing view model uses, because the templates look up a
/// missing value in the enclosing contexts.
struct ItemCard: Sendable {
    let id: String
    let name: String
    let url: String
    /// The URL of the small photo; `nil` shows the placeholder.
    let cardPhotoURL: String?
    let isLost: Bool
    /// *Near*, *Apart*, *Lost*, *No news* or *Reported lost*; `nil` for no badge.
    let presenceWord: String?
    let presenceClass: String
    /// Whether the tracker is known to be off.
    let isOff: Bool
    /// Since when; `nil` when the time is unknown.
    let offMoment: FormattedTime?
    /// `340 m`, or why there is no distance.
    let distance: String
    /// Where the last position is in words; `nil` if only its degrees are known.
    let placeWords: String?
    /// The time of the last position.
    let fixMoment: FormattedTime?
    /// `Battery low: 12 %`.
    let batteryWarning: String?
    /// `No report for 3 h`.
    let silentWarning: String?
    /// `Shared by Ada`; `nil` for the reader's own item.
    let sharedBy: String?
    let power: PowerSwitch

    init(_ overview: ItemOverview, key: String, t: Translator, formatter: TrackingFormatter) {
        let item = overview.item
        id = item.id.description
        name = item.name
        url = TrackingPath.item(item.id)
        cardPhotoURL = item.pictureID.map { TrackingPath.picture($0, size: .small) }
        isLost = overview.presence == .lost
        presenceWord = overview.presenceWord(t)
        presenceClass = overview.presenceClass
        isOff = overview.tracker?.state == .off
        offMoment = overview.tracker?.offSince.map { FormattedTime($0, formatter.times) }
        distance = Self.distance(overview, t: t, formatter: formatter)
        placeWords = formatter.words(overview.place)
        fixMoment = overview.lastFix.map { FormattedTime($0.at, formatter.times) }
        batteryWarning = overview.batteryWarning(t, formatter)
        silentWarning = overview.silentWarning(t, formatter)
        sharedBy = overview.ownerName.map { t("Shared by {name}", ["name": $0]) }
        power = PowerSwitch(overview, key: key, t: t)
    }

    private static func distance(_ overview: ItemOverview, t: Translator, formatter: TrackingFormatter) -> String {
        if let metres = overview.distanceMetres { return formatter.distance(metres) }
        switch overview.unknownReason {
        case .noTracker: return t("No tracker")
        case .noFix: return t("No position yet")
        case .noPhonePosition, nil: return t("Distance unknown")
        }
    }
}

extension Presence {
    /// Returns the word shown for the presence.
    func word(_ t: Translator) -> String {
        switch self {
        case .near: t("Near")
        case .apart: t("Apart")
        case .withOther: t("With another person")
        case .lost: t("Lost")
        case .noNews: t("No news")
        }
    }

    /// The CSS class of the presence's badge.
    var badgeClass: String {
        switch self {
        case .near: "badge-good"
        case .apart, .withOther: "badge-accent"
        case .lost: "badge-danger"
        case .noNews: "badge-warning"
        }
    }
}

/// The on/off button of an item.
struct PowerSwitch: Sendable {
    let commandsURL: String
    let idempotencyKey: String
    let switchLabel: String
    let isOn: Bool
    let isPending: Bool
    let isDisabled: Bool
    /// The command that the button sends: `on` or `off`.
    let nextKind: String
    let noteID: String
    /// The pending command, or the reason why the button is disabled.
    let switchNote: String?
    let isProblem: Bool
    /// Whether the note gives a permanent reason, which the card already shows. Such a note is only read out.
    let isQuietNote: Bool

    init(_ overview: ItemOverview, key: String, t: Translator) {
        let tracker = overview.tracker
        let shown = tracker.map { $0.pending ? $0.wanted : $0.actual } ?? .off
        commandsURL = TrackingPath.item(overview.item.id) + "/commands"
        idempotencyKey = key
        switchLabel = t("Tracker of {name}", ["name": overview.item.name])
        isOn = shown == .on
        isPending = tracker?.pending ?? false
        isDisabled = tracker?.canSwitch != true || overview.access < .manage
        nextKind = shown == .on ? SwitchState.off.rawValue : SwitchState.on.rawValue
        noteID = "power-note-\(overview.item.id)"
        isProblem = tracker?.unconfirmedText(t) != nil
        isQuietNote = tracker.map { !$0.canSwitch && !$0.pending && $0.state != .registering } ?? true
        switchNote = tracker.map { Self.note($0, t) } ?? t("No tracker")
    }

    private static func note(_ tracker: TrackerStatus, _ t: Translator) -> String? {
        if let unconfirmed = tracker.unconfirmedText(t) { return unconfirmed }
        if tracker.state == .registering { return t("Pairing…") }
        if tracker.state == .releasing { return t("Letting go…") }
        if tracker.pending { return tracker.wanted == .on ? t("Turning on… (pending)") : t("Turning off… (pending)") }
        return tracker.canSwitch ? nil : t("Phone app")
    }
}

extension TrackerStatus {
    /// Returns the message that a command had no effect, with the tracker's actual state; `nil` when it had one.
    func unconfirmedText(_ t: Translator) -> String? {
        guard timedOut else { return nil }
        switch state {
        case .active:
            return hasReportedSince
                ? t("The tracker is still on") : t("The tracker has not answered and is still on")
        case .off:
            return hasReportedSince
                ? t("The tracker is still off") : t("The tracker has not answered and is still off")
        case .registering, .bound, .releasing: return hasReportedSince ? nil : t("The tracker has not answered")
        }
    }
}

extension ItemOverview {
    /// Returns the word of the badge; `nil` for no badge. Lost mode counts more than the distance.
    func presenceWord(_ t: Translator) -> String? {
        lostSince == nil ? presence.map { $0.word(t) } : t("Reported lost")
    }

    /// The CSS class of the badge.
    var presenceClass: String { lostSince == nil ? presence?.badgeClass ?? "" : Presence.lost.badgeClass }

    /// Returns `Battery low: 12 %`; `nil` while the battery is not low.
    func batteryWarning(_ t: Translator, _ formatter: TrackingFormatter) -> String? {
        guard isBatteryLow, let percent = tracker?.batteryPercent ?? lastFix?.batteryPercent else { return nil }
        return t("Battery low: {percent}", ["percent": formatter.percent(percent)])
    }

    /// Returns `No report for 3 h`; `nil` while the tracker reports on time.
    func silentWarning(_ t: Translator, _ formatter: TrackingFormatter) -> String? {
        guard isSilent, let last = tracker?.lastSeenAt ?? lastFix?.at else { return nil }
        return t("No report for {time}", ["time": formatter.span(since: last)])
    }
}
