import Accounts
package import Kernel
import Storage

/// Polls trackers for their position through the cloud.
package struct TrackerPoller: Sendable {
    let database: Database
    /// `nil` without a cloud.
    let deliveries: CommandDeliveryService?
    let clock: any WallClock
    let random: any RandomSource

    /// Polls the due trackers for their position and sends the commands that wait for the cloud, until nothing is due.
    /// Any number of nodes can do this at the same time.
    /// - Returns: When the next poll or delivery is due; `nil` for none, or without a cloud.
    /// - Throws: Errors of the database.
    package func runDuePolls() async throws -> Instant? {
        guard let deliveries else { return nil }
        while true {
            let now = clock.now
            let due = try await database.read { tx in
                (try TrackerPollStore.nextDue(in: tx), try CommandDeliveryStore.nextDue(in: tx))
            }
            let next = [due.0, due.1].compactMap { $0 }.min()
            // Most checks find nothing, so they must not cost a write.
            guard let next, next <= now else { return next }
            let polled = try await poll(now: now)
            let claimed = try await database.write { tx in
                try CommandDeliveryStore.claim(now: now, limit: Limits.hologramBatch, in: tx)
            }
            // Another node has the due work.
            guard polled > 0 || claimed.due > 0 else { return now.adding(seconds: 1) }
            try await deliveries.send(claimed.deliveries)
        }
    }

    /// Gives each due tracker a *locate* command. A tracker that missed several polls gets one.
    private func poll(now: Instant) async throws -> Int {
        try await database.write { [random] tx in
            let due = try TrackerPollStore.due(now: now, limit: Limits.pollBatch, in: tx)
            for id in due {
                guard var tracker = try TrackerStore.lock(id, in: tx) else { continue }
                let item = try tracker.itemID.flatMap { try ItemStore.served($0, in: tx) }
                if let item, tracker.isPolled {
                    let interval = Int64(item.settings.locateMinutes * 60)
                    let regular = (tracker.nextPollAt ?? now).adding(seconds: interval)
                    tracker.nextPollAt = regular > now ? regular : now.adding(seconds: interval)
                    let lapse = now.adding(seconds: Silence.seconds(locateMinutes: item.settings.locateMinutes))
                    let command = Command(
                        id: ID(at: now, random: random), kind: .locate, state: .queued, createdAt: now,
                        expiresAt: lapse, version: 1
                    )
                    try CommandStore.queue(command, to: .tracker(tracker), item: item.id, in: tx)
                    try TrackingEvents.publishCommand(of: item.id, owner: item.owner, now: now, in: tx)
                } else {
                    tracker.nextPollAt = nil
                }
                try TrackerStore.update(tracker, mark: tracker.mark, contactedAt: nil, in: tx)
            }
            return due.count
        }
    }
}
