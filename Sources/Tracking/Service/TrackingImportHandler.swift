import Accounts
import Kernel
import Pictures
import Storage

/// Imports items with their histories, and safe places.
struct TrackingImportHandler: AccountImportHandler {
    let database: Database
    let history: HistoryLimiter
    let clock: any WallClock
    let random: any RandomSource

    func preview(_ archive: ImportArchive, for person: PersonID) async throws -> (
        entries: [ImportEntry], notes: [ImportNote]
    ) {
        let (items, places) = (try await archive.importedItems(), try await archive.importedPlaces())
        let counts = try await database.read { tx in
            (
                items: try ItemStore.count(of: person, in: tx), places: try SafePlaceStore.count(of: person, in: tx),
                fixes: try history.stored(of: person, in: tx)
            )
        }
        var itemRoom = ImportRoom(limit: Limits.itemsPerAccount, count: counts.items)
        var fixRoom = ImportRoom(limit: counts.fixes.limit, count: counts.fixes.count)
        var placeRoom = ImportRoom(limit: Limits.safePlacesPerAccount, count: counts.places)
        var readable = counts.fixes.limit
        var entries: [ImportEntry] = []
        for item in items {
            let local = try await database.read { tx in
                try ImportedItem.copy(of: item.id, by: person, in: tx).flatMap {
                    try ItemStore.item($0, of: person, in: tx)
                }
            }
            let (count, hereCount) = try await countPositions(
                of: item, archive, upTo: &readable, comparedWith: local)
            let isExcess = local == nil && itemRoom.reserve(1) > 0
            let excessCount = isExcess ? count : fixRoom.reserve(count - hereCount)
            entries.append(
                ImportEntry(
                    kind: .item, name: item.name, count: count, hereCount: hereCount, isHere: local != nil,
                    excessCount: excessCount, isExcess: isExcess))
        }
        for place in places {
            let isHere = try await database.read { tx in
                try ImportedPlace.copy(of: place.id, by: person, in: tx) != nil
            }
            entries.append(
                ImportEntry(
                    kind: .safePlace, name: place.draft.name ?? "", isHere: isHere,
                    isExcess: !isHere && placeRoom.reserve(1) > 0))
        }
        return (entries, [])
    }

    func perform(_ run: ImportRun) async throws {
        let items = try await run.archive.importedItems()
        var readable = try await database.read { [person = run.person] tx in
            try history.stored(of: person, in: tx).limit
        }
        for item in items {
            let local = try await run.step { tx, now in try add(item, run, now: now, in: tx) }
            guard let local else { continue }
            let excess = try await readHistory(of: item, run.archive, upTo: &readable) { points in
                try await add(points, to: local, run)
            }
            if excess > 0 { try await run.step(excess) { tx, _ in try run.refuse(excess, in: tx) } }
        }
        for place in try await run.archive.importedPlaces() {
            try await run.step { tx, now in try add(place, run, now: now, in: tx) }
        }
    }

    // MARK: Items

    /// Adds an item unless it is here.
    /// - Returns: `nil` without room for it.
    private func add(
        _ item: ImportedItem, _ run: ImportRun, now: Instant, in tx: Transaction
    ) throws -> ID<Item>? {
        let person = run.person
        if let copy = try ImportedItem.copy(of: item.id, by: person, in: tx) { return copy }
        guard try ItemStore.count(of: person, in: tx) < Limits.itemsPerAccount else {
            try run.refuse(in: tx)
            return nil
        }
        let picture = try item.pictureID.flatMap { try ImportedPictures.copy(of: $0, by: person, in: tx) }
        let added = Item(
            id: ID(at: now, random: random), owner: person, name: item.name, pictureID: picture,
            settings: item.settings, version: 1, createdAt: min(item.createdAt ?? now, now)
        )
        try ItemStore.insert(added, in: tx)
        try ImportRecords.insert(added.id, of: item.id, kind: ImportedItem.kind, by: person, in: tx)
        try TrackingEvents.publishItem(added, now: now, in: tx)
        return added.id
    }

    // MARK: Positions

    /// Returns the number of positions that the item keeps, and how many of their times the local item has.
    private func countPositions(
        of item: ImportedItem, _ archive: ImportArchive, upTo readable: inout Int, comparedWith local: Item?
    ) async throws -> (all: Int, here: Int) {
        var (count, hereCount) = (0, 0)
        let settings = local?.settings ?? item.settings
        let excess = try await readHistory(of: item, archive, upTo: &readable) { points in
            let points = Self.kept(points, settings, now: clock.now)
            count += points.count
            guard let local else { return }
            let times = Set(points.map(\.at))
            let known = try await database.read { tx in try ImportedFixes.known(times, of: local.id, in: tx) }
            hereCount += points.count { known.contains($0.at) }
        }
        return (count + excess, hereCount)
    }

    /// Returns the positions that the item's `keepDays` wouldn't delete at once.
    private static func kept(_ points: [GPXReader.Point], _ settings: ItemSettings, now: Instant) -> [GPXReader.Point] {
        guard let days = settings.keepDays else { return points }
        let first = ArchiveDay.start(of: ArchiveDay.firstKept(days: days, now: now))
        return points.filter { $0.at >= first }
    }

    /// Reads a history in batches.
    /// - Parameter readable: the positions that are still read of all histories of an import: as many as the account
    ///   can have.
    /// - Returns: the number of positions beyond them, whose lines are only counted.
    /// - Throws: ``ImportArchive/refused`` for a file that isn't one of ours.
    private func readHistory(
        of item: ImportedItem, _ archive: ImportArchive, upTo readable: inout Int,
        _ body: ([GPXReader.Point]) async throws -> Void
    ) async throws -> Int {
        let path = "tracking/histories/\(item.id).gpx"
        guard archive.contains(path) else { return 0 }
        var (rest, excess) = (readable, 0)
        var reader = GPXReader()
        var batch: [GPXReader.Point] = []
        let now = clock.now
        try await archive.forEachLine(path) { line in
            guard rest > 0 else {
                if GPXReader.isPoint(line) { excess += 1 }
                return
            }
            let point: GPXReader.Point?
            do {
                point = try reader.read(line)
            } catch {
                throw ImportArchive.refused
            }
            guard let point else { return }
            guard FixAcceptance.isAcceptable(point.at, now: now) else { throw ImportArchive.refused }
            rest -= 1
            batch.append(point)
            guard batch.count >= Limits.positionsPerImportStep else { return }
            try await body(batch)
            batch = []
        }
        guard rest == 0 || reader.isComplete else { throw ImportArchive.refused }
        if !batch.isEmpty { try await body(batch) }
        readable = rest
        return excess
    }

    /// Adds the positions whose times the item doesn't have. Those beyond the account's limit are left out.
    private func add(_ points: [GPXReader.Point], to item: ID<Item>, _ run: ImportRun) async throws {
        let history = history
        do {
            try await history.notifyingOwner {
                try await run.step(points.count) { tx, now in
                    guard let owned = try Self.lock(item, of: run.person, in: tx) else { return }
                    let kept = Self.kept(points, owned.settings, now: now)
                    let added = try ImportedFixes.insert(kept, to: item, in: tx) { count in
                        try history.reserve(count, of: run.person, now: now, in: tx)
                    }
                    guard added > 0 else { return }
                    try TrackingEvents.publishItem(owned, now: now, in: tx)
                }
            }
        } catch let error as AppError where error.code == .throttled {
            try await run.step(points.count) { tx, now in
                guard let owned = try Self.lock(item, of: run.person, in: tx) else { return }
                let times = Set(Self.kept(points, owned.settings, now: now).map(\.at))
                let known = try ImportedFixes.known(times, of: item, in: tx)
                try run.refuse(times.count - known.count, in: tx)
            }
        }
    }

    /// - Returns: `nil` for an item that was deleted since.
    private static func lock(_ item: ID<Item>, of person: PersonID, in tx: Transaction) throws -> Item? {
        do {
            return try ItemStore.lock(item, of: person, requires: .own, in: tx)
        } catch let error as AppError where error.code == .notFound {
            return nil
        }
    }

    // MARK: Safe places

    private func add(_ place: ImportedPlace, _ run: ImportRun, now: Instant, in tx: Transaction) throws {
        let person = run.person
        guard try ImportedPlace.copy(of: place.id, by: person, in: tx) == nil else { return }
        guard try SafePlaceStore.count(of: person, in: tx) < Limits.safePlacesPerAccount else {
            return try run.refuse(in: tx)
        }
        let added = try SafePlace(id: ID(at: now, random: random), createdAt: now, place.draft)
        try SafePlaceStore.insert(added, owner: person, in: tx)
        try ImportRecords.insert(added.id, of: place.id, kind: ImportedPlace.kind, by: person, in: tx)
        try tx.publish(TrackingEvents.safePlace(added.id, of: person, version: added.version, now: now))
    }
}
