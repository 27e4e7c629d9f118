package import Kernel
package import Pictures
import Storage

/// The photos in a person's own library.
package struct PictureService: Sendable {
    let database: Database
    let clock: any WallClock

    /// Removes a photo from the actor's own library. The next sweep of the library deletes its files.
    /// - Throws: ``AppError/notFound`` when the photo isn't the actor's; `conflict` while something still shows it.
    package func remove(_ id: ID<Picture>, by change: Change) async throws {
        let person = change.actor.person
        let now = clock.now
        do {
            try await database.write { tx in
                _ = try tx.once(change.idempotency, status: 204, now: now, resource: id.description) {
                    guard !BuiltinPictures.contains(id) else { throw AppError.notFound }
                    do {
                        try PictureLibrary.requireOwned(id, by: person, in: tx)
                    } catch let error as AppError where error.code == .invalid {
                        throw AppError.notFound
                    }
                    try PictureLibrary.remove(id, in: tx)
                }
            }
        } catch StorageError.foreignKeyViolation {
            throw AppError(.conflict, .pictureInUse)
        }
    }
}
