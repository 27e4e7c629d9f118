import Kernel

/// The rule for a low battery.
package enum Battery {
    /// The percentage at or below which a battery is low and its owner is notified.
    package static let lowPercent = 20
    /// The percentage from which a battery counts as charged, so that its next discharge is a new one.
    package static let chargedPercent = lowPercent + 15

    static func isLow(_ percent: Int?) -> Bool { percent.map { $0 <= lowPercent } ?? false }

    /// Returns the new state of a battery, which is low until it is charged; `nil` when the level doesn't change it.
    static func changedState(percent: Int, isLow wasLow: Bool) -> Bool? {
        if !wasLow, isLow(percent) { return true }
        return wasLow && percent >= chargedPercent ? false : nil
    }
}

/// The rule for overdue reports.
enum Silence {
    /// The number of intervals without a report after which a tracker is silent and a command expires.
    static let intervals = 2

    static func seconds(locateMinutes: Int) -> Int64 { Int64(intervals * locateMinutes * 60) }

    /// Only an active tracker can be silent.
    static func isSilent(state: TrackerState, lastSeenAt: Instant?, locateMinutes: Int, now: Instant) -> Bool {
        guard state == .active, let lastSeenAt else { return false }
        return now.seconds(since: lastSeenAt) > Double(seconds(locateMinutes: locateMinutes))
    }
}
