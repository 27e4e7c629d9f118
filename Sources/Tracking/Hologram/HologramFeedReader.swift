import Hologram
package import Kernel
import Logging
import Storage

/// Reads the trackers' messages from the cloud's bucket and log.
package struct HologramFeedReader: Sendable {
    let database: Database
    /// `nil` without a bucket.
    let bucket: HologramBucketReader?
    /// `nil` without an API key.
    let records: HologramRecordReader?
    let clock: any WallClock
    let random: any RandomSource
    let logger: Logger

    /// Reads the cloud's bucket and its log when they are due. A missed reading is made up for only once. Only one node
    /// reads.
    /// - Returns: When the next reading is due; `nil` without a bucket and an API key.
    /// - Throws: Errors of the database. Errors of the cloud are logged, and the reading is retried.
    package func readDue() async throws -> Instant? {
        var next: [Instant] = []
        if let bucket {
            next.append(try await read(.bucket) { now in try await bucket.importObjects(now: now) })
        }
        if let records {
            next.append(try await read(.records) { now in try await records.read(now: now) })
        }
        return next.min()
    }

    private func read(_ feed: HologramFeed, _ work: (Instant) async throws -> Void) async throws -> Instant {
        let now = clock.now
        // Most checks find nothing, so they must not cost a write.
        let due = try await database.read { tx in try HologramFeedStore.nextDue(of: feed, in: tx) }
        if let due, due > now { return due }
        let claim = try await database.write { tx in
            let minutes = try TrackerPollStore.shortestMinutes(in: tx) ?? ItemSettings.standard.locateMinutes
            return try HologramFeedStore.claim(feed, now: now, every: Int64(minutes * 60), in: tx)
        }
        guard claim.isOurs else { return claim.next }
        do {
            try await work(now)
        } catch let error where !(error is CancellationError) {
            return try await recordFailure(error, of: feed)
        }
        return try await database.write { tx in
            try HologramFeedStore.recordSuccess(of: feed, in: tx)
            // A command may have been sent during the reading, so that the next one is due earlier.
            return try HologramFeedStore.nextDue(of: feed, in: tx) ?? claim.next
        }
    }

    private func recordFailure(_ error: any Error, of feed: HologramFeed) async throws -> Instant {
        let failure = (error as? HologramFailure) ?? .unreachable("store")
        let now = clock.now
        let chance = random.uint64()
        logger.warning(
            "What the cloud has for us could not be read", metadata: ["from": "\(feed.rawValue)", "error": "\(error)"]
        )
        return try await database.write { tx in
            let attempt = try HologramFeedStore.recordFailure(of: feed, in: tx)
            let wait = HologramBackOff.milliseconds(after: failure, attempt: attempt, chance: chance)
            if let wait {
                let at = Instant(millisecondsSince1970: now.millisecondsSince1970 + wait)
                try HologramFeedStore.moveForward(feed, to: at, in: tx)
            }
            return try HologramFeedStore.nextDue(of: feed, in: tx) ?? now
        }
    }
}
