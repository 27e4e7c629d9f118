import Kernel

/// Decides whether the recipient of a live link and the shared position have met.
enum MeetingRule {
    /// Both positions must be accurate and recent: two rough ones can be equal far apart. A shared position without an
    /// accuracy counts, because the link of a tracker that reports none would never end. Browsers always report one.
    static func haveMet(_ shared: SharedPosition, _ recipient: Coordinate, accuracyMetres: Double?, now: Instant)
        -> Bool
    {
        guard now.seconds(since: shared.at) <= Limits.meetingSeconds, isAccurate(accuracyMetres),
            shared.accuracyMetres == nil || isAccurate(shared.accuracyMetres)
        else { return false }
        return !Separation.isFarther(shared.coordinate.distanceMetres(to: recipient), thanMetres: Limits.meetingMetres)
    }

    private static func isAccurate(_ metres: Double?) -> Bool {
        metres.map { $0 <= Limits.meetingAccuracyMetres } ?? false
    }
}
