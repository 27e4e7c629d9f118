package import Kernel

/// The data budget of a tracker, spread over the month.
///
/// A tenth of the budget can be used at once, the rest evenly over 30 days. A tracker that is ahead waits, but never
/// longer than ``Limits/trackerBudgetSilenceSeconds``, so that commands still arrive.
package struct DataBudget: Hashable, Sendable {
    /// The start of the current 30 days; `nil` before the first byte.
    package private(set) var since: Instant?
    /// Bytes used since then.
    package private(set) var usedBytes: Int64 = 0
    /// The time of the last message.
    private(set) var lastMessageAt: Instant?

    // A tenth of the budget is available in advance, so that a new tracker isn't silent at first.
    private static let advanceParts = 10.0

    init() {}

    init(since: Instant?, usedBytes: Int64, lastMessageAt: Instant?) {
        self.since = since
        self.usedBytes = usedBytes
        self.lastMessageAt = lastMessageAt
    }

    /// Adds bytes to the 30 days that contain `now`.
    mutating func use(_ bytes: Int64, at now: Instant) {
        renew(at: now)
        usedBytes = usedBytes.addingReportingOverflow(max(0, bytes)).overflow ? .max : usedBytes + max(0, bytes)
    }

    mutating func noteMessage(at now: Instant) { lastMessageAt = now }

    private mutating func renew(at now: Instant) {
        guard let since, now >= since, now < since.adding(seconds: Limits.trackerBudgetSeconds) else {
            since = now
            usedBytes = 0
            return
        }
    }

    /// Returns the time until which a deferrable message has to wait; `nil` when it can be sent now.
    /// - Parameters:
    ///   - monthlyBytes: the budget of 30 days.
    ///   - isLost: `true` allows the use of the whole remaining budget at once.
    func heldUntil(monthlyBytes: Int64, isLost: Bool, at now: Instant) -> Instant? {
        guard let since, now >= since else { return nil }
        let end = since.adding(seconds: Limits.trackerBudgetSeconds)
        guard now < end else { return nil }
        var affordableAt = end
        if usedBytes < monthlyBytes {
            if isLost { return nil }
            let advance = Double(monthlyBytes) / Self.advanceParts
            let share = (Double(usedBytes) - advance) / (Double(monthlyBytes) - advance)
            affordableAt = since.adding(seconds: Int64(share * Double(Limits.trackerBudgetSeconds)))
        }
        // A clock that is set back must not prolong the silence.
        let last = min(lastMessageAt ?? now, now)
        let until = min(affordableAt, last.adding(seconds: Limits.trackerBudgetSilenceSeconds))
        return until > now ? until : nil
    }
}
