import Kernel
import Pictures
import Storage

/// The rule for an account's picture.
enum AvatarRule {
    /// Requires that `picture` is built in or belongs to `person`. The library reports the field as `pictureId`. Here
    /// it is `avatarPictureId`.
    static func requireOwned(_ picture: ID<Picture>, by person: PersonID, in tx: Transaction) throws {
        do {
            try PictureLibrary.requireOwned(picture, by: person, in: tx)
        } catch let error as AppError where error.code == .invalid {
            throw AppError.invalid("avatarPictureId", error.message)
        }
    }
}
