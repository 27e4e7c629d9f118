import Jobs
import Kernel
import Storage

/// Schedules the polls of trackers through the cloud and the readings of their responses, inside a transaction.
struct PollScheduler: Sendable {
    /// Applies a shorter interval now, and not after the next poll of the longer one.
    func reschedule(_ tracker: StoredTracker, locateMinutes: Int, now: Instant, in tx: Transaction) throws {
        var tracker = tracker
        tracker.schedulePoll(locateMinutes: locateMinutes, now: now)
        try TrackerStore.update(tracker, mark: tracker.mark, contactedAt: nil, in: tx)
        if let nextPollAt = tracker.nextPollAt { try HologramJobs.readings.expedite(to: nextPollAt, in: tx) }
    }

    /// Schedules the first reading soon after a tracker has started to locate.
    func expectReading(_ tracker: StoredTracker, before: StoredTracker, now: Instant, in tx: Transaction) throws {
        guard before.nextPollAt == nil, tracker.nextPollAt != nil else { return }
        try HologramJobs.readings.expedite(to: now.adding(seconds: Limits.hologramAnswerSeconds), in: tx)
    }
}

extension StoredTracker {
    /// Whether the server polls it through the cloud.
    var isPolled: Bool { state == .active && wanted == .on && hologramDevice != nil }

    /// Keeps the time of the next poll or sets the first one; clears it when the tracker isn't polled.
    mutating func schedulePoll(locateMinutes: Int, now: Instant) {
        let latest = now.adding(seconds: Int64(locateMinutes * 60))
        nextPollAt = isPolled ? min(nextPollAt ?? latest, latest) : nil
    }
}
