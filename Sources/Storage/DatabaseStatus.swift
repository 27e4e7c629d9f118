import Kernel

/// The state of the store, for readiness checks and metrics.
package struct DatabaseStatus: Sendable, Hashable {
    /// Milliseconds by which the database's clock is ahead of this computer's; 0 for SQLite, which has no clock of its
    /// own.
    package private(set) var clockMilliseconds: Int64 = 0
    /// Seconds for which events have waited for an open transaction to end.
    package private(set) var heldSeconds = 0
    /// The number of resets of the event order, each after a failover that lost events. A reset ends all event streams.
    package private(set) var resets = 0

    package init() {}

    init(clockMilliseconds: Int64, heldSeconds: Int, resets: Int) {
        self.clockMilliseconds = clockMilliseconds
        self.heldSeconds = heldSeconds
        self.resets = resets
    }

    /// The milliseconds to add to this computer's clock before comparing device times with it. A difference within the
    /// measurement error counts as 0.
    package var correctionMilliseconds: Int64 {
        clockMilliseconds.magnitude < UInt64(Limits.databaseClockRoundTripMilliseconds) ? 0 : clockMilliseconds
    }

    /// Whether the clocks agree well enough for this node to serve requests.
    package var isClockRight: Bool { clockMilliseconds.magnitude <= UInt64(Limits.databaseClockMilliseconds) }
}
