import Foundation
import Kernel
import Storage
import Synchronization

/// Computes the episodes of items from their positions, in the background. Storing a position costs nothing more: the
/// updater finds changed items by the counters of their positions (docs/days.md).
package final class EpisodeUpdater: Sendable {
    private let database: Database
    private let itemsPerRun: Int
    /// The last item of the previous run. The next one continues after it, so that no item waits because others have
    /// new positions all the time.
    private let last = Mutex<ID<Item>?>(nil)

    /// - Parameter itemsPerRun: The maximum number of items that one run updates.
    init(database: Database, itemsPerRun: Int = Limits.episodeItemsPerRun) {
        self.database = database
        self.itemsPerRun = itemsPerRun
    }

    /// Updates the items whose positions changed, in small transactions. Cheap when nothing changed.
    /// - Throws: Errors of the database; the next run continues.
    package func run() async throws {
        let start = last.withLock { $0 }
        var failure: (any Error)?
        let count = try await update(after: start, until: nil, limit: itemsPerRun, &failure)
        if let start, count < itemsPerRun {
            _ = try await update(after: nil, until: start, limit: itemsPerRun - count, &failure)
        }
        if let failure { throw failure }
    }

    /// Updates items in the order of their ids.
    /// - Returns: The number of items.
    private func update(
        after start: ID<Item>?, until end: ID<Item>?, limit: Int, _ failure: inout (any Error)?
    ) async throws -> Int {
        var after = start
        var count = 0
        while count < limit {
            let (last, batch) = (after, min(limit - count, Limits.archiveBatch))
            let items = try await database.read { tx in
                try EpisodeDayStore.outdated(after: last, until: end, limit: batch, in: tx)
            }
            for item in items {
                do {
                    try await update(item)
                } catch is CancellationError {
                    throw CancellationError()
                } catch {
                    // One damaged item must not stop the others.
                    failure = failure ?? error
                }
                self.last.withLock { $0 = item }
            }
            count += items.count
            guard items.count == batch, let newest = items.last else { break }
            after = newest
        }
        return count
    }

    /// Updates one item. A long history takes several runs.
    func update(_ item: ID<Item>) async throws {
        var update = ItemUpdate(item: item, database: database)
        try await update.run()
    }
}

/// One run for one item.
private struct ItemUpdate {
    let item: ID<Item>
    let database: Database
    private var remainingDays = Limits.episodeDaysPerRun
    private var tracks: [Int64] = []

    init(item: ID<Item>, database: Database) {
        self.item = item
        self.database = database
    }

    private struct Interrupted: Error {}

    mutating func run() async throws {
        let item = item
        let (stored, tracks) = try await database.read { tx in
            // The counter comes first: the positions that it includes are found by all later queries.
            (try EpisodeDayStore.storedFixes(of: item, in: tx), try EpisodeFixStore.tracks(of: item, in: tx))
        }
        guard let stored else { return }
        self.tracks = tracks
        do {
            try await continueChanges()
            try await addNew()
            guard try await counted() < stored else { return }
            try await addLate()
            guard try await counted() < stored else { return }
            try await addMissing(stored: stored)
        } catch is Interrupted {
            // The rest follows in the next run, or another node does it.
        }
    }

    private func counted() async throws -> Int {
        let item = item
        let progress = try await database.read { tx in try EpisodeDayStore.progress(of: item, in: tx) }
        return progress.fixes + progress.uncounted
    }

    /// Adds the positions after the last known one.
    private mutating func addNew() async throws {
        let (item, tracks) = (item, tracks)
        while true {
            let (last, first) = try await database.read { tx in
                let last = try EpisodeDayStore.last(of: item, in: tx)
                let from = last.map { Instant(millisecondsSince1970: $0.lastAt.millisecondsSince1970 + 1) }
                let first = try EpisodeFixStore.first(
                    of: tracks, from: from ?? Instant(millisecondsSince1970: .min), in: tx)
                return (last, first)
            }
            guard let first else { return }
            let day = ArchiveDay.day(of: first)
            if let last, last.day == day {
                try await extend(last)
            } else {
                try await compute(day)
            }
        }
    }

    /// Adds late positions, which aren't archived yet.
    private mutating func addLate() async throws {
        let (item, tracks) = (item, tracks)
        var from = Instant(millisecondsSince1970: .min)
        while true {
            let start = from
            let found = try await database.read { tx -> (day: Int64, isChanged: Bool)? in
                guard let last = try EpisodeDayStore.last(of: item, in: tx) else { return nil }
                let first = try EpisodeFixStore.firstUnarchived(of: tracks, from: start, until: last.lastAt, in: tx)
                guard let first else { return nil }
                return try Self.change(of: ArchiveDay.day(of: first), item, tracks, in: tx)
            }
            guard let found else { return }
            if found.isChanged { try await recompute(found.day) }
            from = ArchiveDay.start(of: found.day + 1)
        }
    }

    /// Compares all days. It finds what a rebuild of the archive restored.
    private mutating func addMissing(stored: Int) async throws {
        let (item, tracks) = (item, tracks)
        var from = Instant(millisecondsSince1970: .min)
        while true {
            let start = from
            let found = try await database.read { tx -> (day: Int64, isChanged: Bool)? in
                guard let first = try EpisodeFixStore.first(of: tracks, from: start, in: tx) else { return nil }
                return try Self.change(of: ArchiveDay.day(of: first), item, tracks, in: tx)
            }
            guard let found else { break }
            if found.isChanged { try await recompute(found.day) }
            from = ArchiveDay.start(of: found.day + 1)
        }
        try await database.write { tx in
            guard var progress = try EpisodeDayStore.lock(item, in: tx) else { return }
            progress.uncounted = stored - progress.fixes
            try EpisodeDayStore.store(progress, of: item, in: tx)
        }
    }

    private static func change(
        of day: Int64, _ item: ID<Item>, _ tracks: [Int64], in tx: Transaction
    ) throws -> (day: Int64, isChanged: Bool) {
        let known = try EpisodeDayStore.day(day, of: item, in: tx)?.fixes ?? 0
        return (day, try EpisodeFixStore.count(of: tracks, day: day, in: tx) != known)
    }

    /// Computes a day again, and the following days as long as that changes them.
    private mutating func recompute(_ day: Int64) async throws {
        try await compute(day)
        try await continueChanges()
    }

    /// Computes the days after a changed one.
    private mutating func continueChanges() async throws {
        let item = item
        while true {
            let next = try await database.read { tx -> Int64? in
                guard let changed = try EpisodeDayStore.progress(of: item, in: tx).changedAfter else { return nil }
                return try EpisodeDayStore.first(after: changed, of: item, in: tx)
            }
            guard let next else { return }
            try await compute(next)
        }
    }

    // MARK: One day

    /// Computes the episodes of a day from the state before it.
    private mutating func compute(_ day: Int64) async throws {
        let item = item
        let (progress, before, old) = try await database.read { tx in
            (
                try EpisodeDayStore.progress(of: item, in: tx),
                try EpisodeDayStore.last(before: day, of: item, in: tx),
                try EpisodeDayStore.day(day, of: item, in: tx)
            )
        }
        let result = try await result(of: day, from: before?.state, after: ArchiveDay.start(of: day).previous)
        try await store(result, day: day, replacing: old, stateBefore: before?.state, from: progress)
    }

    /// Adds the new positions of the last day.
    private mutating func extend(_ last: EpisodeDayStore.Day) async throws {
        let item = item
        let progress = try await database.read { tx in try EpisodeDayStore.progress(of: item, in: tx) }
        let result = try await result(of: last.day, from: last.state, after: last.lastAt)
        try await store(result, extending: last, from: progress)
    }

    private struct DayResult {
        var segmenter: EpisodeSegmenter
        var episodes: [Episode] = []
        var fixes = 0
        var lastAt: Instant?
    }

    /// Reads the positions of a day page by page.
    private mutating func result(of day: Int64, from state: String?, after: Instant) async throws -> DayResult {
        guard remainingDays > 0 else { throw Interrupted() }
        try Task.checkCancellation()
        remainingDays -= 1
        let item = item
        let end = ArchiveDay.start(of: day + 1)
        var result = DayResult(segmenter: try state.map(Self.segmenter) ?? EpisodeSegmenter())
        var cursor = ID<Fix>(at: after, series: .max)
        while true {
            let from = cursor
            let fixes = try await database.read { tx in
                try HistoryStore.page(
                    of: item, .oldestFirst, after: from, until: end, limit: Limits.episodePage, in: tx)
            }
            let samples = fixes.compactMap {
                EpisodeSample(at: $0.at, coordinate: $0.coordinate, accuracyMetres: $0.accuracyMetres)
            }
            result.episodes += result.segmenter.add(samples)
            result.fixes += fixes.count
            guard let last = fixes.last else { return result }
            result.lastAt = last.at
            guard fixes.count == Limits.episodePage else { return result }
            cursor = last.id
        }
    }

    private func store(
        _ result: DayResult, day: Int64, replacing old: EpisodeDayStore.Day?, stateBefore: String?,
        from progress: EpisodeDayStore.Progress
    ) async throws {
        let item = item
        let state = try Self.text(result.segmenter)
        try await write(from: progress) { tx, progress in
            guard let lastAt = result.lastAt else { return }
            try EpisodeDayStore.store(
                EpisodeDayStore.Day(day: day, fixes: result.fixes, lastAt: lastAt, state: state), of: item, in: tx)
            try EpisodeStore.delete(of: item, day: day, in: tx)
            let isLast = try EpisodeDayStore.first(after: day, of: item, in: tx) == nil
            if isLast { try EpisodeStore.deleteOpen(of: item, in: tx) }
            let open = isLast ? result.segmenter.open : []
            try EpisodeStore.insert(result.episodes + open, of: item, day: day, in: tx)
            progress.fixes += result.fixes - (old?.fixes ?? 0)
            let hasChanged = state != old.map(\.state) ?? stateBefore
            progress.changedAfter = hasChanged && !isLast ? day : nil
        }
    }

    private func store(
        _ result: DayResult, extending last: EpisodeDayStore.Day, from progress: EpisodeDayStore.Progress
    ) async throws {
        let item = item
        let state = try Self.text(result.segmenter)
        try await write(from: progress) { tx, progress in
            try EpisodeDayStore.store(
                EpisodeDayStore.Day(
                    day: last.day, fixes: last.fixes + result.fixes, lastAt: result.lastAt ?? last.lastAt,
                    state: state), of: item, in: tx)
            try EpisodeStore.deleteOpen(of: item, in: tx)
            try EpisodeStore.insert(result.episodes + result.segmenter.open, of: item, day: last.day, in: tx)
            progress.fixes += result.fixes
        }
    }

    /// Writes a result, unless another node has changed the item's episodes since they were read.
    private func write(
        from read: EpisodeDayStore.Progress,
        _ work: @escaping @Sendable (Transaction, inout EpisodeDayStore.Progress) throws -> Void
    ) async throws {
        let item = item
        let isWritten = try await database.write { tx in
            guard var progress = try EpisodeDayStore.lock(item, in: tx), progress.version == read.version else {
                return false
            }
            try work(tx, &progress)
            try EpisodeDayStore.store(progress, of: item, in: tx)
            return true
        }
        guard isWritten else { throw Interrupted() }
    }

    private static func segmenter(_ state: String) throws -> EpisodeSegmenter {
        try JSONDecoder().decode(EpisodeSegmenter.self, from: Data(state.utf8))
    }

    private static func text(_ segmenter: EpisodeSegmenter) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return String(decoding: try encoder.encode(segmenter), as: UTF8.self)
    }
}
