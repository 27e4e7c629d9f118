package import Kernel
package import Pictures
import Storage

extension AccountService {
    /// Removes a photo from the actor's own library. The next sweep of the library deletes its files.
    /// - Throws: ``AppError/notFound`` when the photo isn't the actor's; `conflict` while something still shows it.
    package func removePicture(_ id: ID<Picture>, by change: Change) async throws {
        let person = change.actor.person
        let now = clock.now
        do {
            try await database.write { tx in
                _ = try tx.once(change.idempotency, status: 204, now: now, resource: id.description) {
                    guard !BuiltinAvatars.contains(id) else { throw AppError.notFound }
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

extension AccountService {
    /// Lets people see their own avatar, even when the picture belongs to another person.
    package static let avatarVisibility: any PictureVisibility = AvatarVisibility()
}

private struct AvatarVisibility: PictureVisibility {
    func isVisible(_ picture: ID<Picture>, to viewer: PersonID, in tx: Transaction) throws -> Bool {
        try AccountStore.wears(picture, viewer, in: tx)
    }
}
