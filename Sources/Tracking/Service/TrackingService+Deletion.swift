package import Accounts
package import Kernel
import Logging
import Pictures
import Storage

extension TrackingService {
    /// Deletes an item with every trace of it. Its tracker is told to turn itself off and to let go.
    /// - Parameter deletingPicture: takes its photo out of the library too, unless something else shows it.
    /// - Throws: `AppError.notFound`, also the second time.
    package func delete(_ id: ID<Item>, deletingPicture: Bool = true, by change: Change) async throws {
        let now = clock.now
        let owner = change.actor.person
        let release = ID<Command>(at: now, random: random)
        _ = try await database.write { [self] tx in
            try tx.once(change.idempotency, status: 204, now: now) {
                try erase(id, of: owner, deletingPicture: deletingPicture, release: release, now: now, in: tx)
                return id.description
            }
        }
        try await sweepPictures()
    }

    /// Whether the item's photo stays in the library when the item is deleted, because something else shows it.
    /// - Throws: `AppError.notFound`.
    package func pictureIsShared(_ id: ID<Item>, for actor: Actor) async throws -> Bool {
        try await database.read { tx in
            guard let item = try ItemStore.item(id, of: actor.person, in: tx) else { throw AppError.notFound }
            guard let picture = item.pictureID else { return false }
            return try ItemStore.isPictureUsedElsewhere(picture, than: id, in: tx)
        }
    }

    /// Deletes an item in a transaction that may do more.
    /// - Parameter release: the id of the command that lets the tracker go.
    func erase(
        _ id: ID<Item>, of owner: PersonID, deletingPicture: Bool, release: ID<Command>, now: Instant,
        in tx: Transaction
    ) throws {
        // Locks in the order of the trackers' messages: tracker, item, then the rest.
        let tracker = try TrackerStore.lock(item: id, in: tx)
        let item = try ItemStore.lock(id, of: owner, in: tx)
        if let tracker { try letGo(tracker, of: item, command: release, now: now, in: tx) }
        if let source = try SourceStore.source(item: id, in: tx) { try remove(source, in: tx) }
        try FixStore.deleteAll(of: id, in: tx)
        try CommandStore.delete(item: id, in: tx)
        try QuarantineStore.delete(item: id, in: tx)
        try ItemStore.delete(id, in: tx)
        if deletingPicture, let picture = item.pictureID,
            try !ItemStore.isPictureUsedElsewhere(picture, than: id, in: tx)
        {
            try PictureLibrary.remove(picture, in: tx)
        }
        try tx.publish(Announcement.item(item.nextVersion, now: now))
    }

    /// The objects go after the commit. That they are garbage is stored already: when it can't be done now, the next
    /// sweep does it.
    private func sweepPictures() async throws {
        do {
            try await pictures.sweep()
        } catch {
            logger.warning("pictures could not be swept after a deletion", metadata: ["error": "\(error)"])
        }
    }

    func remove(_ source: Source, in tx: Transaction) throws {
        try SourceStore.delete(source, in: tx)
        let id = source.id
        tx.afterCommit { [credentials] in credentials.drop(id) }
    }
}
