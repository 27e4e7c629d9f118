import Kernel

/// The points that a chore gives by itself if no parent decides on the child's request in time.
package struct AutomaticPoints: Sendable, Hashable {
    /// ``Limits/automaticHours`` after the request.
    package let hours: Int64
    /// 1, 2 or 3.
    package let points: Int64

    /// Returns the time at which the points of a request of `instant` are given automatically.
    func moment(after instant: Instant) -> Instant { instant.adding(seconds: hours * 60 * 60) }
}
