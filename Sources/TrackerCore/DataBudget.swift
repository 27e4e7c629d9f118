package import Kernel

/// How much of its data a tracker has used, so that a month's share lasts for the month.
///
/// A tenth of the share may be used at once, the rest evenly over 30 days. Who is ahead of that waits until time has
/// caught up, but never longer than ``Limits/trackerBudgetSilenceSeconds``, so that commands still arrive.
package struct DataBudget: Hashable, Sendable {
    /// When the present 30 days began; `nil` before the first byte.
    package private(set) var since: Instant?
    /// Bytes used since then.
    package private(set) var usedBytes: Int64 = 0
    /// When the last message was made.
    private(set) var lastMessageAt: Instant?

    // A tenth of the share may be used before its time, so that a tracker fresh from the shop isn't mute.
    private static let advanceParts = 10.0

    init() {}

    init(since: Instant?, usedBytes: Int64, lastMessageAt: Instant?) {
        self.since = since
        self.usedBytes = usedBytes
        self.lastMessageAt = lastMessageAt
    }

    /// Counts bytes, in the 30 days that `now` belongs to.
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

    /// Until when a message that can wait has to; `nil`: it needn't.
    /// - Parameters:
    ///   - monthlyBytes: the share of 30 days.
    ///   - isLost: a thing that is being looked for may use all that is left at once.
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
        // A clock that was set back must not make the silence longer.
        let last = min(lastMessageAt ?? now, now)
        let until = min(affordableAt, last.adding(seconds: Limits.trackerBudgetSilenceSeconds))
        return until > now ? until : nil
    }
}
