import Kernel
import Objects
import Storage

/// Restores fixes from the archive to the database, and archives fixes of lost objects again.
package struct ArchiveRebuildService: Sendable {
    let database: Database
    let objects: any ObjectStore
    let archive: ArchiveService
    let clock: any WallClock

    /// Makes the database and the archive of fixes agree. It restores archived fixes of existing items to the tables,
    /// and archives fixes of lost or damaged objects again. Servers may run at the same time, and their pages update. A
    /// second run changes nothing.
    /// - Throws: ``ObjectStoreError``, or errors of the database; the rebuild can be repeated.
    package func rebuild() async throws -> ArchiveRebuild {
        var rebuild = ArchiveRebuild()
        var walk = ArchiveIterator(objects, database)
        while let steps = try await walk.next() {
            for step in steps { try await restore(step, &rebuild) }
        }
        var after: Int64 = 0
        while true {
            let last = after
            let tracks = try await database.read { tx in
                try SegmentStore.tracks(after: last, limit: Limits.archiveBatch, in: tx)
            }
            for series in tracks {
                try await database.write { tx in try SegmentStore.releaseStrays(of: series, in: tx) }
            }
            guard tracks.count == Limits.archiveBatch, let end = tracks.last else { break }
            after = end
        }
        try await archive.writeSegments()
        return rebuild
    }

    private func restore(_ step: ArchiveIterator.Step, _ rebuild: inout ArchiveRebuild) async throws {
        try Task.checkCancellation()
        let entry = step.entry
        if let entry, !entry.isWritten { return }
        let isComplete = try await database.read { tx in
            try entry.map { try SegmentStore.isComplete($0, in: tx) } ?? false
        }
        guard let bytes = try await objects.get(step.key) else {
            guard let entry else { return }
            return try await dissolve(entry, isComplete: isComplete, "the object is missing", &rebuild)
        }
        let segment: FixSegment
        do {
            segment = try FixSegmentFormat.segment(bytes)
        } catch {
            // The fixes that only a damaged object holds can't be restored, but the object isn't deleted either.
            guard let entry, isComplete else { return rebuild.result.addFinding(step.key, error.words) }
            return try await dissolve(entry, isComplete: isComplete, error.words, &rebuild)
        }
        guard SegmentKey(item: segment.item, day: segment.day, segment: segment.id).text == step.key else {
            return rebuild.result.addFinding(step.key, "contains another segment")
        }
        rebuild.segments += 1
        let digest = FixSegmentFormat.digest(bytes[...])
        if isComplete, entry?.digest == digest { return }
        let now = clock.now
        switch try await database.write({ tx in try SegmentStore.adopt(segment, digest: digest, now: now, in: tx) }) {
        case .adopted(let restored): rebuild.restored += restored
        case .notWanted: rebuild.segments -= 1
        case .ofNoItem:
            rebuild.segments -= 1
            rebuild.result.addFinding(step.key, "belongs to no item")
        }
    }

    /// Releases the fixes of a segment with an unusable object, so that they are archived again from the tables.
    private func dissolve(
        _ entry: SegmentStore.Entry, isComplete: Bool, _ problem: String, _ rebuild: inout ArchiveRebuild
    ) async throws {
        let isDissolved = try await database.write { tx in
            guard let present = try SegmentStore.entry(entry.number, in: tx), present.isWritten else { return false }
            try SegmentStore.dissolve(present, in: tx)
            return true
        }
        guard isDissolved else { return }
        rebuild.rewritten += 1
        if !isComplete {
            rebuild.result.addFinding(entry.key, "\(problem), and not all of its fixes are in the database")
        }
    }
}
