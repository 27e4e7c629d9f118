import Kernel
import Logging
import Objects
import Pictures
import Storage

/// Writes the archive of fixes in the object store.
package struct ArchiveService: Sendable {
    let database: Database
    let objects: any ObjectStore
    let clock: any WallClock
    let random: any RandomSource
    let logger: Logger

    /// Writes new fixes to the object store, in segments (docs/fix-archive.md). Each fix gets into exactly one segment,
    /// even after interruptions and with several nodes. Cheap when nothing is due.
    /// - Parameter early: Also writes fixes whose track still gathers more.
    /// - Returns: The number of written fixes.
    /// - Throws: ``ObjectStoreError``, or errors of the database; the rest waits for the next run.
    @discardableResult
    package func writeSegments(early: Bool = false) async throws -> Int {
        var written = try await finishInterrupted()
        var after: Int64 = 0
        while true {
            let (now, last) = (clock.now, after)
            let tracks = try await database.read { tx in
                try SegmentStore.due(now: now, early: early, after: last, limit: Limits.archiveBatch, in: tx)
            }
            for track in tracks { written += try await write(track, early: early) }
            guard tracks.count == Limits.archiveBatch, let end = tracks.last else { return written }
            after = end
        }
    }

    /// Writes the segments whose writer was interrupted.
    private func finishInterrupted() async throws -> Int {
        var written = 0
        while true {
            try Task.checkCancellation()
            let now = clock.now
            // Claims few at a time, so that all are written long before another node may take them over.
            let claims = try await database.write { tx in
                try SegmentStore.takeOver(now: now, limit: Limits.segmentsPerCut, in: tx)
            }
            guard !claims.isEmpty else { return written }
            written += try await write(claims)
        }
    }

    private func write(_ track: Int64, early: Bool) async throws -> Int {
        var written = 0
        while true {
            try Task.checkCancellation()
            let now = clock.now
            let ids = (0..<Limits.segmentsPerCut).map { _ in ID<FixSegment>(at: now, random: random) }
            let (claims, hasMore) = try await database.write { tx in
                try SegmentStore.cut(track, early: early, ids: ids, now: now, in: tx)
            }
            written += try await write(claims)
            guard hasMore else { return written }
        }
    }

    private func write(_ claims: [SegmentStore.Claim]) async throws -> Int {
        var written = 0
        for (index, claim) in claims.enumerated() {
            do {
                written += try await write(claim)
            } catch {
                // A write in progress may still complete within that time; it would have the same bytes.
                let until = clock.now.adding(seconds: Limits.segmentRetrySeconds)
                try? await database.write { tx in
                    for left in claims[index...] { try SegmentStore.release(left, until: until, in: tx) }
                }
                throw error
            }
        }
        return written
    }

    /// Writes one segment. Its object has the same bytes for every writer, so a second write does no harm.
    private func write(_ claim: SegmentStore.Claim) async throws -> Int {
        guard clock.now < claim.until.adding(seconds: -Limits.segmentLeaseSlackSeconds) else { return 0 }
        let segment = try await database.read { tx in try SegmentStore.segment(claim.number, in: tx) }
        guard let segment else { return 0 }
        let key = SegmentKey(item: segment.item, day: segment.day, segment: segment.id).text
        guard !segment.fixes.isEmpty else {
            try await database.write { tx in
                guard let entry = try SegmentStore.entry(claim.number, in: tx) else { return }
                try SegmentStore.dissolve(entry, in: tx)
            }
            return 0
        }
        let bytes = FixSegmentFormat.bytes(segment)
        try await objects.put(bytes, at: key)
        let digest = FixSegmentFormat.digest(bytes[...])
        let isWanted = try await database.write { tx in
            if try SegmentStore.complete(claim.number, fixes: segment.fixes.count, digest: digest, in: tx) {
                return true
            }
            // The item was deleted during the write.
            try ObjectGarbage.record([key], dueAt: Instant(millisecondsSince1970: 0), in: tx)
            return false
        }
        guard isWanted else { return 0 }
        let metadata: Logger.Metadata = ["segment": "\(segment.id)", "fixes": "\(segment.fixes.count)"]
        logger.debug("A segment of fixes was archived", metadata: metadata)
        return segment.fixes.count
    }
}
