package import Accounts
package import Kernel
import Logging
import Notifications
package import Pictures
import Storage

extension TrackingService {
    /// Deletes an item with all its data. Its tracker gets the command to turn off and release itself.
    /// - Parameter deletingPicture: Also deletes its photo from the library, unless another object shows it.
    /// - Throws: `AppError`: `notFound`, also for a second deletion; `conflict` when the version in the request is
    ///   stale.
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

    /// - Throws: `AppError.conflict` when the version in the request is stale.
    func requireCurrentVersion(_ item: Item, for change: Change) throws {
        if change.isStale(at: item.version) { throw AppError(.conflict, .movedOn) }
    }

    /// Whether the item's photo remains in the library after the item's deletion, because another object shows it.
    /// - Throws: `AppError.notFound`.
    package func pictureIsShared(_ id: ID<Item>, for actor: Actor) async throws -> Bool {
        try await database.read { tx in
            guard let item = try ItemStore.item(id, of: actor.person, in: tx) else { throw AppError.notFound }
            guard let picture = item.pictureID else { return false }
            return try ItemStore.isPictureUsedElsewhere(picture, than: id, in: tx)
        }
    }

    /// Deletes a picture that was uploaded with a rejected change, unless another object shows it.
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

    /// Deletes an item inside a transaction. When the history is longer than `fixes`, the rest remains, invisible, for
    /// ``sweepHistories()``.
    /// - Parameters:
    ///   - fixes: The maximum number of positions to delete in this transaction.
    ///   - release: The id of the command that releases the tracker.
    func erase(
        _ id: ID<Item>, of owner: PersonID, ifVersion: Int64? = nil, deletingPicture: Bool,
        fixes: Int = Limits.fixesPerDeletion, release: ID<Command>, now: Instant, in tx: Transaction
    ) throws {
        // The lock order of the trackers' messages: tracker, item, then the rest.
        let tracker = try TrackerStore.lock(item: id, in: tx)
        let item = try ItemStore.lock(id, of: owner, in: tx)
        if let ifVersion, ifVersion != item.version { throw AppError(.conflict, .movedOn) }
        if let tracker { try letGo(tracker, of: item, command: release, now: now, in: tx) }
        if let source = try SourceStore.source(item: id, in: tx) { try remove(source, in: tx) }
        let isHistoryGone = try FixStore.delete(of: id, limit: fixes, in: tx)
        try CommandStore.delete(item: id, in: tx)
        try TrackerRegistrationStore.delete(item: id, in: tx)
        try QuarantineStore.delete(item: id, in: tx)
        try Notice.withdraw(about: TrackingEvents.path(id), from: owner, at: now, in: tx)
        if isHistoryGone { try ItemStore.delete(id, in: tx) } else { try ItemStore.markDeleted(id, now: now, in: tx) }
        if deletingPicture, let picture = item.pictureID,
            try !ItemStore.isPictureUsedElsewhere(picture, than: id, in: tx)
        {
            try PictureLibrary.remove(picture, in: tx)
        }
        try tx.publish(TrackingEvents.item(item.nextVersion, now: now))
    }

    /// Removes the remaining histories of deleted items, in small transactions that block no other work.
    func sweepHistories() async throws {
        while try await database.write({ tx in try Self.sweepHistory(in: tx) }) { try Task.checkCancellation() }
    }

    /// Removes a part of a deleted item's remaining history.
    /// - Returns: Whether more may remain.
    static func sweepHistory(in tx: Transaction) throws -> Bool {
        guard let item = try ItemStore.deletedItemWithHistory(in: tx) else { return false }
        if try FixStore.delete(of: item, limit: Limits.fixesPerDeletion, in: tx) { try ItemStore.delete(item, in: tx) }
        return true
    }

    /// Deletes the objects after the commit. They are already recorded as garbage, so the next sweep deletes them if
    /// this one fails.
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
