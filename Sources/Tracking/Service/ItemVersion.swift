import Accounts
import Kernel
import Pictures
import Storage

/// The versions of items, on which changes are based.
enum ItemVersion {
    /// - Throws: `AppError.conflict` when the version in the request is stale.
    static func requireCurrent(_ item: Item, for change: Change) throws {
        if change.isStale(at: item.version) { throw AppError(.conflict, .movedOn) }
    }

    /// Increments the item's version after the owner changed its tracker.
    static func advance(_ item: Item, now: Instant, in tx: Transaction) throws {
        let next = item.nextVersion
        try ItemStore.update(next, in: tx)
        try TrackingEvents.publishItem(next, now: now, in: tx)
    }
}

extension Item {
    func with(name: String, pictureID: ID<Picture>?, settings: ItemSettings, version: Int64) -> Item {
        Item(
            id: id, owner: owner, name: name, pictureID: pictureID, settings: settings, version: version,
            createdAt: createdAt
        )
    }

    var nextVersion: Item { with(name: name, pictureID: pictureID, settings: settings, version: version + 1) }
}
