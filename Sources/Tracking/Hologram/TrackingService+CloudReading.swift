import Hologram
package import Kernel
import Logging
import Storage

extension TrackingService {
    /// Reads the cloud's bucket and its log when they are due. A missed reading is made up for only once. Only one node
    /// reads.
    /// - Returns: When the next reading is due; `nil` without a bucket and an API key.
    /// - Throws: Errors of the database. Errors of the cloud are logged, and the reading is retried.
    package func readCloud() async throws -> Instant? {
        var next: [Instant] = []
        if let bucket = hologram.bucket {
            next.append(try await read(.bucket) { now in try await importObjects(of: bucket, now: now) })
        }
        if let client = hologram.client {
            next.append(try await read(.records) { now in try await readRecords(by: client, now: now) })
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
            return try await note(error, of: feed)
        }
        return try await database.write { tx in
            try HologramFeedStore.recordSuccess(of: feed, in: tx)
            // A command may have been sent during the reading, so that the next one is due earlier.
            return try HologramFeedStore.nextDue(of: feed, in: tx) ?? claim.next
        }
    }

    private func note(_ error: any Error, of feed: HologramFeed) async throws -> Instant {
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

    // MARK: The cloud's log

    private func readRecords(by client: any HologramClient, now: Instant) async throws {
        guard var position = try await database.read({ tx in try HologramFeedStore.position(in: tx) }) else { return }
        guard try await database.read({ tx in try TrackerPollStore.hasDevices(in: tx) }) else {
            // Without a tracker that has a device, no message could be authenticated.
            let unread = HologramLogPosition(at: now, record: position.record)
            return try await database.write { tx in try HologramFeedStore.advance(to: unread, in: tx) }
        }
        for _ in 0..<Limits.hologramPeriods {
            let (records, end) = try await recordsOfNextPeriod(from: position, now: now, by: client)
            for record in records where record.id > position.record {
                position.record = record.id
                if end == nil, let loggedAt = record.loggedAt { position.at = max(position.at, min(loggedAt, now)) }
                try await take(record, position: position, now: now)
            }
            if let end { position.at = end }
            let reached = position
            try await database.write { tx in try HologramFeedStore.advance(to: reached, in: tx) }
            if end == nil { return }
        }
    }

    /// Reads the records of the next period, oldest first, although the cloud returns them newest first. So a long
    /// downtime is caught up in order and with bounded memory.
    /// - Returns: The records, and the end of the period; `nil` when it is the last one.
    private func recordsOfNextPeriod(
        from position: HologramLogPosition, now: Instant, by client: any HologramClient
    ) async throws -> (records: [HologramRecord], end: Instant?) {
        let from = position.at.adding(seconds: -Limits.hologramOverlapSeconds)
        let recent = now.adding(seconds: -Limits.hologramPeriodSeconds)
        var seconds = Limits.hologramPeriodSeconds
        var end: Instant? = position.at < recent ? position.at.adding(seconds: seconds) : nil
        while true {
            var query = HologramQuery(topic: HologramConfiguration.topic, from: from, until: end)
            var records: [HologramRecord] = []
            let isShortest = end != nil && seconds <= Limits.hologramShortestPeriodSeconds
            var pages = 0
            while isShortest || pages < Limits.hologramPagesPerPeriod {
                let page = try await client.records(query)
                records += page.records
                pages += 1
                // The remaining records were read earlier.
                let isDone = page.records.contains { $0.id <= position.record } && end == nil
                guard page.continues, !isDone, let last = page.records.last, last.id != query.after else {
                    return (records.sorted { $0.id < $1.id }, end)
                }
                query = HologramQuery(topic: query.topic, from: from, until: end, after: last.id)
            }
            seconds = max(seconds / 2, Limits.hologramShortestPeriodSeconds)
            end = position.at.adding(seconds: seconds)
        }
    }

    private func take(_ record: HologramRecord, position: HologramLogPosition, now: Instant) async throws {
        try await database.write { [self] tx in
            if let delivery = record.delivery {
                _ = try take(delivery, from: "hologram record \(record.id)", now: now, in: tx)
            } else {
                try refuse(.unexpectedShape, from: "hologram record \(record.id)", now: now, in: tx)
            }
            try HologramFeedStore.advance(to: position, in: tx)
        }
    }
}
