package import Accounts
package import Kernel
import Logging
import Notifications
package import Pictures
import Storage

extension TrackingService {
    /// Deletes an item with every trace of it. Its tracker is told to turn itself off and to let go.
    /// - Parameter deletingPicture: takes its photo out of the library too, unless something else shows it.
    /// - Throws: `AppError`: `notFound`, also the second time; `conflict` when the item moved on from what the asker
    ///   read.
    package func delete(_ id: ID<Item>, deletingPicture: Bool = true, by change: Change) async throws {
        let now = clock.now
        let owner = change.actor.person
        let release = ID<Command>(at: now, random: random)
        _ = try await database.write { [self] tx in
            try tx.once(change.idempotency, status: 204, now: now, resource: id.description) {
                try erase(
                    id, of: owner, ifVersion: change.ifVersion, deletingPicture: deletingPicture, release: release,
                    now: now, in: tx)
            }
        }
        try await sweepPictures()
    }

    /// - Throws: `AppError.conflict` when the item moved on from what the asker read.
    func requirePresent(_ item: Item, for change: Change) throws {
        if change.isStale(at: item.version) { throw AppError(.conflict, .movedOn) }
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

    /// Takes a picture out of the library again that came with a change which was refused, unless something shows it.
    package func discard(_ picture: ID<Picture>, of actor: Actor) async throws {
        do {
            try await database.write { tx in
                try PictureLibrary.requireOwned(picture, by: actor.person, in: tx)
                try PictureLibrary.remove(picture, in: tx)
            }
        } catch StorageError.foreignKeyViolation {
            return
        }
        try await sweepPictures()
    }

    /// Deletes an item in a transaction that may do more. Of a history longer than `Limits.fixesPerDeletion` the rest
    /// stays, out of everybody's sight, for ``sweepHistories()``.
    /// - Parameters:
    ///   - fixes: how many positions go with it at once.
    ///   - release: the id of the command that lets the tracker go.
    func erase(
        _ id: ID<Item>, of owner: PersonID, ifVersion: Int64? = nil, deletingPicture: Bool,
        fixes: Int = Limits.fixesPerDeletion, release: ID<Command>, now: Instant, in tx: Transaction
    ) throws {
        // Locks in the order of the trackers' messages: tracker, item, then the rest.
        let tracker = try TrackerStore.lock(item: id, in: tx)
        let item = try ItemStore.lock(id, of: owner, in: tx)
        if let ifVersion, ifVersion != item.version { throw AppError(.conflict, .movedOn) }
        if let tracker { try letGo(tracker, of: item, command: release, now: now, in: tx) }
        if let source = try SourceStore.source(item: id, in: tx) { try remove(source, in: tx) }
        let isHistoryGone = try FixStore.delete(of: id, limit: fixes, in: tx)
        try CommandStore.delete(item: id, in: tx)
        try RegistrationStore.delete(item: id, in: tx)
        try QuarantineStore.delete(item: id, in: tx)
        try Notice.withdraw(about: Announcement.path(id), from: owner, at: now, in: tx)
        if isHistoryGone { try ItemStore.delete(id, in: tx) } else { try ItemStore.bury(id, now: now, in: tx) }
        if deletingPicture, let picture = item.pictureID,
            try !ItemStore.isPictureUsedElsewhere(picture, than: id, in: tx)
        {
            try PictureLibrary.remove(picture, in: tx)
        }
        try tx.publish(Announcement.item(item.nextVersion, now: now))
    }

    /// Removes what is left of the histories of deleted items, in steps that hold nobody up.
    func sweepHistories() async throws {
        while try await database.write({ tx in try Self.sweepHistory(in: tx) }) { try Task.checkCancellation() }
    }

    /// Removes a part of what is left of a deleted item.
    /// - Returns: whether there may be more.
    static func sweepHistory(in tx: Transaction) throws -> Bool {
        guard let item = try ItemStore.buried(in: tx) else { return false }
        if try FixStore.delete(of: item, limit: Limits.fixesPerDeletion, in: tx) { try ItemStore.delete(item, in: tx) }
        return true
    }

    /// The objects go after the commit. That they are garbage is stored already: when it can't be done now, the next
    /// sweep does it.
    private func sweepPictures() async throws {
        do {
            try await pictures.sweep(batches: 1)
        } catch {
            logger.warning("objects could not be swept after a deletion", metadata: ["error": "\(error)"])
        }
    }

    func remove(_ source: Source, in tx: Transaction) throws {
        try SourceStore.delete(source, in: tx)
        let id = source.id
        tx.afterCommit { [credentials] in credentials.drop(id) }
    }
}
