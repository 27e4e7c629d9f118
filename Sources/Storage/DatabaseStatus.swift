import Kernel

/// How the store is doing, for readiness and metrics.
package struct DatabaseStatus: Sendable, Hashable {
    /// Milliseconds by which the database's clock is ahead of this computer's; 0 for SQLite, which has no clock.
    package private(set) var clockMilliseconds: Int64 = 0
    /// Seconds for which events have waited for a transaction that is still open.
    package private(set) var heldSeconds = 0
    /// How often the order of events was reset, because a failover lost some. Streams end then.
    package private(set) var resets = 0

    /// A status without problems.
    package init() {}

    init(clockMilliseconds: Int64, heldSeconds: Int, resets: Int) {
        self.clockMilliseconds = clockMilliseconds
        self.heldSeconds = heldSeconds
        self.resets = resets
    }

    /// The correction in milliseconds to add to this computer's clock where devices' times are judged. A difference
    /// within a comparison's own error counts as none.
    package var correctionMilliseconds: Int64 {
        clockMilliseconds.magnitude < UInt64(Limits.databaseClockRoundTripMilliseconds) ? 0 : clockMilliseconds
    }

    /// Whether the clocks agree well enough for this node to serve people.
    package var isClockRight: Bool { clockMilliseconds.magnitude <= UInt64(Limits.databaseClockMilliseconds) }
}
