import Kernel
import Storage

extension TrackingService {
    /// Lets commands lapse, tells of confirmations that did not come in time, and forgets what has had its time:
    /// trackers that nobody claimed, finished commands, the quarantine. Cheap when there is nothing to do; every 15
    /// seconds or so keeps the pages up to date.
    package func housekeeping() async throws {
        let now = clock.now
        try await database.write { [self] tx in
            let items = Set(try CommandStore.expire(now: now, in: tx) + TrackerStore.markLate(now: now, in: tx))
            for id in items.sorted() {
                guard let item = try ItemStore.served(id, in: tx) else { continue }
                try announceCommands(of: id, owner: item.owner, now: now, in: tx)
            }
            try TrackerStore.purgeUnclaimed(before: now.adding(seconds: -Limits.unclaimedTrackerSeconds), in: tx)
            try CommandStore.prune(before: now.adding(seconds: -Limits.finishedCommandSeconds), in: tx)
            try QuarantineStore.prune(before: now.adding(seconds: -Limits.quarantineSeconds), in: tx)
        }
    }
}
