import Kernel

/// When a battery counts as low.
package enum Battery {
    /// At this many percent and below, its owner is told.
    package static let lowPercent = 20

    static func isLow(_ percent: Int?) -> Bool { percent.map { $0 <= lowPercent } ?? false }
}

/// When reports stay away.
enum Silence {
    /// So many intervals without a report make a tracker silent, and let a command lapse.
    static let intervals = 2

    static func seconds(locateMinutes: Int) -> Int64 { Int64(intervals * locateMinutes * 60) }

    /// Only a tracker that should be reporting can be silent.
    static func isSilent(state: TrackerState, lastSeenAt: Instant?, locateMinutes: Int, now: Instant) -> Bool {
        guard state == .active, let lastSeenAt else { return false }
        return now.seconds(since: lastSeenAt) > Double(seconds(locateMinutes: locateMinutes))
    }
}
