import Hologram
import Kernel
import Storage

/// Reads the trackers' messages in the cloud's log.
struct HologramRecordReader: Sendable {
    let client: any HologramClient
    let database: Database
    let messages: HologramMessageService

    /// Reads the records since the last reading.
    func read(now: Instant) async throws {
        let stored = try await database.read { tx in try HologramFeedStore.position(in: tx) }
        var position =
            stored ?? HologramLogPosition(at: now.adding(seconds: -Limits.hologramFirstReadingSeconds), record: 0)
        guard try await database.read({ tx in try TrackerPollStore.hasDevices(in: tx) }) else {
            // Without a tracker that has a device, no message could be authenticated.
            let unread = HologramLogPosition(at: now, record: position.record)
            return try await database.write { tx in try HologramFeedStore.advance(to: unread, in: tx) }
        }
        for _ in 0..<Limits.hologramPeriods {
            let (records, end) = try await recordsOfNextPeriod(from: position, now: now)
            for record in records where record.id > position.record {
                position.record = record.id
                if end == nil, let loggedAt = record.loggedAt { position.at = max(position.at, min(loggedAt, now)) }
                try await process(record, position: position, now: now)
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
        from position: HologramLogPosition, now: Instant
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

    private func process(_ record: HologramRecord, position: HologramLogPosition, now: Instant) async throws {
        try await database.write { [messages] tx in
            if let delivery = record.delivery {
                _ = try messages.process(delivery, from: "hologram record \(record.id)", now: now, in: tx)
            } else {
                try messages.quarantine(.unexpectedShape, from: "hologram record \(record.id)", now: now, in: tx)
            }
            try HologramFeedStore.advance(to: position, in: tx)
        }
    }
}
