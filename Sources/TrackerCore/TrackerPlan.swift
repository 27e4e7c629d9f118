import Kernel

/// What stays the same over a tracker's life: paces and bounds, chosen by whoever builds the machine.
package struct TrackerPlan: Hashable, Sendable {
    /// Seconds between two messages when there is nothing to report, so that commands arrive; at least 1.
    package let contactSeconds: Int64
    /// Seconds between two messages while an owner is awaited, in the first ``Limits/trackerWaitingSeconds``: somebody may
    /// be typing the code in. At least 1, at most ``contactSeconds``.
    package let waitingSeconds: Int64
    /// Seconds between two positions instead of the server's setting; `nil`: as the server says.
    package let fixSeconds: Int64?
    /// Seconds after which a position that was asked for is given up; at least 1.
    package let fixTimeoutSeconds: Int64
    /// Fixes kept while they can't be delivered; more than one message holds.
    package let spoolCapacity: Int
    /// Bytes that may go over a link that is paid by the byte in 30 days; `nil`: as many as there are.
    package let monthlyBytes: Int64?
    /// Spreads the retries of many trackers; any number, best a different one for each.
    package let jitterSeed: UInt64

    /// Makes a plan; numbers below the least become the least.
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

    /// Seconds to wait after that many failures in a row: doubled each time up to a bound, less up to a quarter by
    /// chance, so that many trackers don't come back in step.
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
