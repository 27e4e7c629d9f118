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
        if let road = hologram.road {
            next.append(try await read(.records) { now in try await readRecords(by: road, now: now) })
        }
        return next.min()
    }

    private func read(_ road: CloudRoad, _ work: (Instant) async throws -> Void) async throws -> Instant {
        let now = clock.now
        // Most checks find nothing, so they must not cost a write.
        let due = try await database.read { tx in try CloudStore.nextDue(of: road, in: tx) }
        if let due, due > now { return due }
        let claim = try await database.write { tx in
            let minutes = try AskStore.shortestMinutes(in: tx) ?? ItemSettings.standard.locateMinutes
            return try CloudStore.claim(road, now: now, every: Int64(minutes * 60), in: tx)
        }
        guard claim.isOurs else { return claim.next }
        do {
            try await work(now)
        } catch let error where !(error is CancellationError) {
            return try await note(error, of: road)
        }
        return try await database.write { tx in
            try CloudStore.noteSuccess(of: road, in: tx)
            // A command may have been sent during the reading, so that the next one is due earlier.
            return try CloudStore.nextDue(of: road, in: tx) ?? claim.next
        }
    }

    private func note(_ error: any Error, of road: CloudRoad) async throws -> Instant {
        let failure = (error as? HologramFailure) ?? .unreachable("store")
        let now = clock.now
        let chance = random.uint64()
        logger.warning(
            "What the cloud has for us could not be read", metadata: ["from": "\(road.rawValue)", "error": "\(error)"]
        )
        return try await database.write { tx in
            let attempt = try CloudStore.noteFailure(of: road, in: tx)
            let wait = HologramBackOff.milliseconds(after: failure, attempt: attempt, chance: chance)
            if let wait {
                let at = Instant(millisecondsSince1970: now.millisecondsSince1970 + wait)
                try CloudStore.hasten(road, to: at, in: tx)
            }
            return try CloudStore.nextDue(of: road, in: tx) ?? now
        }
    }

    // MARK: The cloud's log

    private func readRecords(by road: any HologramRoad, now: Instant) async throws {
        guard var position = try await database.read({ tx in try CloudStore.position(in: tx) }) else { return }
        guard try await database.read({ tx in try AskStore.hasDevices(in: tx) }) else {
            // Without a tracker that has a device, no message could be authenticated.
            let unread = CloudPosition(at: now, record: position.record)
            return try await database.write { tx in try CloudStore.advance(to: unread, in: tx) }
        }
        for _ in 0..<Limits.hologramStretches {
            let (records, end) = try await stretch(from: position, now: now, by: road)
            for record in records where record.id > position.record {
                position.record = record.id
                if end == nil, let loggedAt = record.loggedAt { position.at = max(position.at, min(loggedAt, now)) }
                try await take(record, position: position, now: now)
            }
            if let end { position.at = end }
            let reached = position
            try await database.write { tx in try CloudStore.advance(to: reached, in: tx) }
            if end == nil { return }
        }
    }

    /// Reads the records of the next period, oldest first, although the cloud returns them newest first. So a long
    /// downtime is caught up in order and with bounded memory.
    /// - Returns: The records, and the end of the period; `nil` when it is the last one.
    private func stretch(
        from position: CloudPosition, now: Instant, by road: any HologramRoad
    ) async throws -> (records: [HologramRecord], end: Instant?) {
        let from = position.at.adding(seconds: -Limits.hologramOverlapSeconds)
        let recent = now.adding(seconds: -Limits.hologramStretchSeconds)
        var seconds = Limits.hologramStretchSeconds
        var end: Instant? = position.at < recent ? position.at.adding(seconds: seconds) : nil
        while true {
            var query = HologramQuery(topic: HologramSetup.topic, from: from, until: end)
            var records: [HologramRecord] = []
            let isShortest = end != nil && seconds <= Limits.hologramShortestStretchSeconds
            var pages = 0
            while isShortest || pages < Limits.hologramPagesPerStretch {
                let page = try await road.records(query)
                records += page.records
                pages += 1
                // The remaining records were read earlier.
                let isDone = page.records.contains { $0.id <= position.record } && end == nil
                guard page.continues, !isDone, let last = page.records.last, last.id != query.after else {
                    return (records.sorted { $0.id < $1.id }, end)
                }
                query = HologramQuery(topic: query.topic, from: from, until: end, after: last.id)
            }
            seconds = max(seconds / 2, Limits.hologramShortestStretchSeconds)
            end = position.at.adding(seconds: seconds)
        }
    }

    private func take(_ record: HologramRecord, position: CloudPosition, now: Instant) async throws {
        try await database.write { [self] tx in
            if let delivery = record.delivery {
                _ = try take(delivery, from: "hologram record \(record.id)", now: now, in: tx)
            } else {
                try refuse(.unexpectedShape, from: "hologram record \(record.id)", now: now, in: tx)
            }
            try CloudStore.advance(to: position, in: tx)
        }
    }
}
