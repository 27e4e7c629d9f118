package import Kernel
package import Pictures
import Storage

extension AccountService {
    /// Removes a photo from one's own library. Its files go with the library's next sweep.
    /// - Throws: ``AppError/notFound`` when it isn't one's own; `conflict` while something still shows it.
    package func removePicture(_ id: ID<Picture>, by change: Change) async throws {
        let person = change.actor.person
        let now = clock.now
        do {
            try await database.write { tx in
                _ = try tx.once(change.idempotency, status: 204, now: now) {
                    do {
                        try PictureLibrary.requireOwned(id, by: person, in: tx)
                    } catch let error as AppError where error.code == .invalid {
                        throw AppError.notFound
                    }
                    try PictureLibrary.remove(id, in: tx)
                    return id.description
                }
            }
        } catch StorageError.foreignKeyViolation {
            throw AppError(.conflict, .pictureInUse)
        }
    }
}
