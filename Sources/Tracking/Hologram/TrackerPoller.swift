import Accounts
package import Kernel
import Storage

/// Polls trackers for their position through the cloud.
package struct TrackerPoller: Sendable {
    let database: Database
    /// Whether the server can send commands through the cloud.
    let isEnabled: Bool
    let clock: any WallClock
    let random: any RandomSource

    /// Polls the due trackers for their position until none is due. Any number of nodes can do this at the same time.
    /// - Returns: When the next poll is due; `nil` for none, or without a cloud.
    /// - Throws: Errors of the database.
    package func runDuePolls() async throws -> Instant? {
        guard isEnabled else { return nil }
        while true {
            let now = clock.now
            // Most checks find nothing, so they must not cost a write.
            let next = try await database.read { tx in try TrackerPollStore.nextDue(in: tx) }
            guard let next, next <= now else { return next }
            // Another node polls the due trackers.
            guard try await poll(now: now) > 0 else { return now.adding(seconds: 1) }
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
