import Kernel
import Storage

/// Ends switches that trackers don't confirm in time.
struct SwitchExpiryService: Sendable {
    let database: Database
    let polls: PollScheduler
    let switches: SwitchRecorder

    /// Ends the unconfirmed switches, each in its own transaction.
    func expireAll(now: Instant) async throws {
        let unconfirmed = try await database.read { tx in try TrackerStore.unconfirmed(now: now, in: tx) }
        for id in unconfirmed {
            try Task.checkCancellation()
            try await database.write { [polls, switches] tx in
                // A message or another node may have come first.
                guard var tracker = try TrackerStore.lock(id, in: tx), let itemID = tracker.itemID,
                    let item = try ItemStore.served(itemID, in: tx)
                else { return }
                let before = tracker
                try CommandStore.expire(of: tracker.id, now: now, in: tx)
                tracker.lapse(at: now)
                if tracker.isLate, tracker.state.confirmedSwitch == nil,
                    try !CommandStore.hasOpenSwitch(of: tracker.id, in: tx)
                {
                    tracker.giveUp(now: now)
                }
                guard tracker.hasVisibleChange(from: before) else { return }
                tracker.schedulePoll(locateMinutes: item.settings.locateMinutes, now: now)
                try TrackerStore.update(tracker, mark: tracker.mark, contactedAt: nil, in: tx)
                try polls.expectReading(tracker, before: before, now: now, in: tx)
                try switches.record(of: item, from: before, to: tracker, now: now, in: tx)
                try TrackingEvents.publishCommand(of: item.id, owner: item.owner, now: now, in: tx)
            }
        }
    }
}
