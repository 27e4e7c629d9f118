import Kernel
import Notifications
import Storage

extension TrackingService {
    /// Stores the effects of a change of a tracker's switch: a separation that it interrupted can cause an alert again,
    /// and the owner is notified when they would otherwise believe the wrong state.
    func recordSwitch(
        of item: Item, from before: StoredTracker, to after: StoredTracker, now: Instant, in tx: Transaction
    ) throws {
        let isInterrupted = before.isReporting && !after.isReporting
        // Earlier versions left trackers in this state, with a stored separation that never caused an alert again.
        let isHealed = before.isLate && before.state == .active && before.wanted == .off && after.isReporting
        if isInterrupted || isHealed { try AlertStore.reset(item.id, in: tx) }
        guard let outcome = SwitchOutcome(from: before, to: after) else { return }
        let notice = Notice(
            id: ID(about: [NoticeKind.switchNotConfirmed.rawValue, item.id.description], at: now), person: item.owner,
            kind: .switchNotConfirmed, resource: TrackingEvents.path(item.id), subject: item.name,
            details: ["outcome": outcome.rawValue], at: now
        )
        try notice.post(in: tx)
    }

    /// Ends the switches that were not confirmed in time, each in its own transaction.
    func expireSwitches(now: Instant) async throws {
        let unconfirmed = try await database.read { tx in try TrackerStore.unconfirmed(now: now, in: tx) }
        for id in unconfirmed {
            try Task.checkCancellation()
            try await database.write { [self] tx in
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
                try expect(tracker, before: before, now: now, in: tx)
                try recordSwitch(of: item, from: before, to: tracker, now: now, in: tx)
                try publishCommandEvent(of: item.id, owner: item.owner, now: now, in: tx)
            }
        }
    }
}
