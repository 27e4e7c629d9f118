package import Accounts
package import Kernel
package import Pictures
import Storage

/// The photos of items in the picture library.
package struct ItemPictureService: Sendable {
    let database: Database
    let cleanup: PictureCleanup

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
        try await cleanup.sweep()
    }
}
