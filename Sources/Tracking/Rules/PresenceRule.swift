import Kernel

/// The state of an item relative to its owner's phone.
///
/// Pages show this state. The JSON key `lost` is only the comparison of the distance with the setting.
enum PresenceRule {
    /// The owner's alert settings.
    struct Alerts {
        let mode: AlertMode
        let safePlaces: [SafeArea]
        /// The names of places for the owner.
        var names = PlaceNames([])
    }

    /// - Parameters:
    ///   - verdict: The verdict on the last position.
    ///   - apartSince: The start of the separation that the alert rule found.
    ///   - isSilent: Whether the tracker is overdue with its reports.
    ///   - isWithOther: Whether the phone of another person who can see the item is near it.
    ///   - wasNeverNear: Whether another person's item was never near the reader's phone.
    /// - Returns: `nil` without a position, without a phone's position, and for a tracker that is off.
    static func presence(
        _ verdict: Separation.Verdict, lastPlace: Coordinate?, tracker: TrackerStatus?, apartSince: Instant?,
        isSilent: Bool, isWithOther: Bool = false, wasNeverNear: Bool = false, alerts: Alerts
    ) -> Presence? {
        guard let lastPlace else { return nil }
        guard let tracker else { return .noNews }
        guard tracker.state != .off else { return nil }
        // Silence alone doesn't make an item lost. An item that was apart before the silence remains so.
        if isSilent, !verdict.lost || apartSince == nil { return .noNews }
        guard verdict.distanceMetres != nil else { return nil }
        guard verdict.lost else { return .near }
        if isWithOther { return .withOther }
        if wasNeverNear { return .apart }
        if alerts.safePlaces.contains(where: { $0.contains(lastPlace) }) { return .apart }
        return apartSince == nil && alerts.mode == .whenSure ? .apart : .lost
    }
}
