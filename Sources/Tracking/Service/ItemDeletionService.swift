package import Accounts
package import Kernel
import Storage

/// Deletes items.
package struct ItemDeletionService: Sendable {
    let database: Database
    let eraser: ItemEraser
    let pictures: PictureCleanup
    let clock: any WallClock
    let random: any RandomSource

    /// Deletes an item with all its data. Its tracker gets the command to turn off and release itself.
    /// - Parameter deletingPicture: Also deletes its photo from the library, unless another object shows it.
    /// - Throws: `AppError`: `notFound`, also for a second deletion; `conflict` when the version in the request is
    ///   stale.
    package func delete(_ id: ID<Item>, deletingPicture: Bool = true, by change: Change) async throws {
        let now = clock.now
        let owner = change.actor.person
        let release = ID<Command>(at: now, random: random)
        _ = try await database.write { [eraser] tx in
            try tx.once(change.idempotency, status: 204, now: now, resource: id.description) {
                try eraser.erase(
                    id, of: owner, ifVersion: change.ifVersion, deletingPicture: deletingPicture, release: release,
                    now: now, in: tx)
            }
        }
        try await pictures.sweep()
    }
}
