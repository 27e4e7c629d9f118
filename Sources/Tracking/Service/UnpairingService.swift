package import Accounts
package import Kernel
import Storage

/// Removes trackers from items.
package struct UnpairingService: Sendable {
    let database: Database
    let binder: TrackerBinder
    let sources: SourceRemover
    let clock: any WallClock
    let random: any RandomSource

    /// Removes the tracker from an item. Hardware gets the command to turn off and release itself; a position source is
    /// deleted. The history remains.
    /// - Throws: `AppError`: `notFound`, also without a tracker; `conflict` when the version in the request is stale.
    package func unpair(_ id: ID<Item>, by change: Change) async throws {
        let now = clock.now
        let owner = change.actor.person
        let release = ID<Command>(at: now, random: random)
        _ = try await database.write { [binder, sources] tx in
            try tx.once(change.idempotency, status: 204, now: now, resource: id.description) {
                let tracker = try TrackerStore.lock(item: id, in: tx)
                let item = try ItemStore.lock(id, of: owner, requires: .own, in: tx)
                try ItemVersion.requireCurrent(item, for: change)
                if let tracker {
                    try binder.release(tracker, of: item, command: release, now: now, in: tx)
                } else if let source = try SourceStore.source(item: id, in: tx) {
                    try sources.remove(source, in: tx)
                } else {
                    throw AppError.notFound
                }
                try ItemVersion.advance(item, now: now, in: tx)
            }
        }
    }
}
