package import Kernel
import Objects
import Pictures
import Storage

/// Compares the archive of fixes with the database.
package struct ArchiveCheckService: Sendable {
    let database: Database
    let objects: any ObjectStore

    /// Reads the whole archive of fixes, verifies each checksum, and compares the archive with the database. Servers
    /// may run at the same time.
    /// - Throws: ``ObjectStoreError``, or errors of the database.
    package func check() async throws -> ArchiveCheckResult {
        var result = ArchiveCheckResult()
        var walk = ArchiveIterator(objects, database)
        while let steps = try await walk.next() {
            for step in steps { try await check(step, &result) }
        }
        let (waiting, stray) = try await database.read { tx in try SegmentStore.loose(in: tx) }
        result.waiting = waiting
        if stray > 0 { result.addFinding("fix", "\(stray) rows are marked with a segment that isn't in fix_segment") }
        return result
    }

    /// Searches the archive and the database for traces of a deleted item.
    /// - Throws: ``ObjectStoreError``, or errors of the database.
    package func checkDeleted(_ item: ID<Item>) async throws -> ArchiveCheckResult {
        var result = ArchiveCheckResult()
        for table in try await database.read({ tx in try DeletedItemCheck.tables(naming: item, in: tx) }) {
            result.addFinding(table, "has rows of \(item)")
        }
        let folder = SegmentKey.folder(of: item)
        var after: String?
        while true {
            let keys = try await objects.keys(below: folder, after: after, limit: Limits.objectPage)
            for key in keys { result.addFinding(key, "exists") }
            guard keys.count == Limits.objectPage else { break }
            after = keys.last
        }
        let waiting = try await database.read { tx in try ObjectGarbage.count(below: folder, in: tx) }
        if waiting > 0 { result.addFinding("object_garbage", "\(waiting) objects of \(item) wait to be removed") }
        return result
    }

    private func check(_ step: ArchiveIterator.Step, _ result: inout ArchiveCheckResult) async throws {
        try Task.checkCancellation()
        guard let entry = step.entry else { return try await checkStray(step.key, &result) }
        // The segment is being written; the next check covers it.
        guard entry.isWritten else { return }
        guard let bytes = try await objects.get(entry.key) else {
            // It may have been deleted just now; then the index doesn't have it either.
            if try await isStill(entry) { result.addFinding(entry.key, "the object is missing") }
            return
        }
        result.segments += 1
        let segment: FixSegment
        do {
            segment = try FixSegmentFormat.segment(bytes)
        } catch {
            return result.addFinding(entry.key, error.words)
        }
        result.fixes += segment.fixes.count
        guard SegmentKey(item: segment.item, day: segment.day, segment: segment.id).text == entry.key else {
            return result.addFinding(entry.key, "contains another segment")
        }
        guard entry.digest == FixSegmentFormat.digest(bytes[...]), entry.device == segment.device,
            entry.source == segment.source, entry.fixes == segment.fixes.count
        else { return result.addFinding(entry.key, "differs from its entry in the index") }
        try await compare(segment, with: entry, &result)
    }

    /// Reports an object that isn't in the index.
    private func checkStray(_ key: String, _ result: inout ArchiveCheckResult) async throws {
        // A segment started since the index was read has a row before it has an object.
        let isKnown = try await database.read { tx in try SegmentStore.entry(key: key, in: tx) != nil }
        guard !isKnown, try await objects.get(key) != nil else { return }
        guard let parts = SegmentKey(key) else { return result.addFinding(key, "isn't the name of a segment") }
        let (isWaiting, isServed) = try await database.read { tx in
            (try ObjectGarbage.contains(key, in: tx), try ItemStore.served(parts.item, in: tx) != nil)
        }
        if isWaiting {
            result.addFinding(key, "waits to be removed")
        } else {
            result.addFinding(
                key, isServed ? "isn't in the index; homeward fixes rebuild adds it" : "belongs to no item")
        }
    }

    private func compare(
        _ segment: FixSegment, with entry: SegmentStore.Entry, _ result: inout ArchiveCheckResult
    ) async throws {
        guard let first = segment.fixes.first?.at, let last = segment.fixes.last?.at else { return }
        let stored = try await database.read { tx in
            try SegmentStore.fixes(of: entry, from: first, to: last, in: tx)
        }
        let byTime = Dictionary(uniqueKeysWithValues: stored.map { ($0.fix.at, $0.fix) })
        let missing = segment.fixes.count { byTime[$0.at] == nil }
        let different = segment.fixes.count { fix in byTime[fix.at].map { $0 != fix } ?? false }
        let archived = Set(segment.fixes.map(\.at))
        let unarchived = stored.count { $0.segment == entry.number && !archived.contains($0.fix.at) }
        guard missing + different + unarchived > 0, try await isStill(entry) else { return }
        if missing > 0 { result.addFinding(entry.key, "\(missing) of its fixes are not in the database") }
        if different > 0 { result.addFinding(entry.key, "\(different) of its fixes are different in the database") }
        if unarchived > 0 {
            result.addFinding(entry.key, "lacks \(unarchived) fixes that belong to it in the database")
        }
    }

    private func isStill(_ entry: SegmentStore.Entry) async throws -> Bool {
        try await database.read { tx in try SegmentStore.entry(entry.number, in: tx)?.isWritten ?? false }
    }
}

extension FixSegmentFormat.Flaw {
    var words: String {
        switch self {
        case .magic: "is no segment"
        case .version(let version): "has the version \(version), which this program doesn't know"
        case .checksum: "is damaged: its checksum is wrong"
        case .content: "has content that can't be"
        }
    }
}
