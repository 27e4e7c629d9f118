import Kernel
import Notifications
import Pictures
import Storage

/// Removes an item with all its data inside a transaction.
struct ItemEraser: Sendable {
    let binder: TrackerBinder
    let sources: SourceRemover
    let memberships: ItemMembershipEnder
    let positions: PositionShareEnder

    /// Deletes an item inside a transaction. When the history is longer than `fixes`, the rest remains, invisible, for
    /// ``HistorySweeper``.
    /// - Parameters:
    ///   - fixes: The maximum number of positions to delete in this transaction.
    ///   - release: The id of the command that releases the tracker.
    func erase(
        _ id: ID<Item>, of owner: PersonID, ifVersion: Int64? = nil, deletingPicture: Bool,
        fixes: Int = Limits.fixesPerDeletion, release: ID<Command>, now: Instant, in tx: Transaction
    ) throws {
        // The lock order of the trackers' messages: tracker, item, then the rest.
        let tracker = try TrackerStore.lock(item: id, in: tx)
        let item = try ItemStore.lock(id, of: owner, requires: .own, in: tx)
        if let ifVersion, ifVersion != item.version { throw AppError(.conflict, .movedOn) }
        if let tracker { try binder.release(tracker, of: item, command: release, now: now, in: tx) }
        if let source = try SourceStore.source(item: id, in: tx) { try sources.remove(source, in: tx) }
        try positions.endAll(from: id, now: now, in: tx)
        let isHistoryGone = try FixStore.delete(of: id, limit: fixes, in: tx)
        try CommandStore.delete(item: id, in: tx)
        try TrackerRegistrationStore.delete(item: id, in: tx)
        try QuarantineStore.delete(item: id, in: tx)
        try LostModeStore.deleteAll(of: id, now: now, in: tx)
        try LiveLinkStore.deleteAll(of: id, in: tx)
        try EpisodeDayStore.deleteAll(of: id, in: tx)
        try ItemAlertStore.delete(about: id, in: tx)
        try GeofenceStore.delete(of: id, in: tx)
        try SeparationHistoryStore.delete(of: id, in: tx)
        try ParkingHistoryStore.delete(of: id, in: tx)
        try Notice.withdraw(about: TrackingEvents.path(id), includingParts: true, from: owner, at: now, in: tx)
        try memberships.endAll(of: item.nextVersion, by: owner, now: now, in: tx)
        if isHistoryGone { try ItemStore.delete(id, in: tx) } else { try ItemStore.markDeleted(id, now: now, in: tx) }
        if deletingPicture, let picture = item.pictureID,
            try !ItemStore.isPictureUsedElsewhere(picture, than: id, in: tx)
        {
            try PictureLibrary.remove(picture, in: tx)
        }
        try TrackingEvents.publishItem(item.nextVersion, now: now, in: tx)
    }
}
