import Kernel
import TrackerProtocol

/// The constant intervals and limits of a tracker.
package struct TrackerPlan: Hashable, Sendable {
    /// Seconds between two messages when there is nothing to report, so that commands arrive; at least 1.
    package let contactSeconds: Int64
    /// Seconds between two messages while the tracker waits for an owner, in the first
    /// ``Limits/trackerWaitingSeconds``, when the owner may be entering the code. At least 1, at most
    /// ``contactSeconds``.
    package let waitingSeconds: Int64
    /// Seconds between two positions, which override the server's setting; `nil` uses the server's setting.
    package let fixSeconds: Int64?
    /// Seconds after which the measurement of a position is abandoned; at least 1.
    package let fixTimeoutSeconds: Int64
    /// Undelivered fixes that are kept; more than one message holds.
    package let spoolCapacity: Int
    /// Bytes that a metered link may carry in 30 days; `nil`: no limit.
    package let monthlyBytes: Int64?
    /// The seed that spreads the retries of many trackers; should differ between trackers.
    package let jitterSeed: UInt64

    /// Creates a plan; values below the minimum become the minimum.
    package init(
        contactSeconds: Int64 = 60, waitingSeconds: Int64? = nil, fixSeconds: Int64? = nil,
        fixTimeoutSeconds: Int64 = 60, spoolCapacity: Int = Limits.trackerSpool, monthlyBytes: Int64? = nil,
        jitterSeed: UInt64 = 0
    ) {
        self.contactSeconds = max(1, contactSeconds)
        self.waitingSeconds = min(max(1, waitingSeconds ?? contactSeconds), self.contactSeconds)
        self.fixSeconds = fixSeconds.map { max(1, $0) }
        self.fixTimeoutSeconds = max(1, fixTimeoutSeconds)
        self.spoolCapacity = max(Limits.fixesPerMessage + 1, spoolCapacity)
        self.monthlyBytes = monthlyBytes.map { max(1, $0) }
        self.jitterSeed = jitterSeed
    }

    /// Returns the milliseconds to wait after `failures` consecutive failures: doubled each time up to a limit, minus a
    /// random part of up to a quarter, so that many trackers don't retry at the same time.
    func retryMilliseconds(afterFailures failures: Int, counter: Int64) -> Int64 {
        let doublings = min(max(failures - 1, 0), 16)
        let seconds = min(Limits.trackerRetrySeconds << Int64(doublings), Limits.trackerRetrySecondsMaximum)
        var mixed = jitterSeed &+ UInt64(bitPattern: counter) &* 0x9e37_79b9_7f4a_7c15 &+ UInt64(max(failures, 0))
        mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
        mixed ^= mixed >> 31
        let milliseconds = seconds * 1000
        return milliseconds - Int64(mixed % UInt64(milliseconds / 4 + 1))
    }
}
