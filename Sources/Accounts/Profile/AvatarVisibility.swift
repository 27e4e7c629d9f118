import Kernel
import Pictures
import Storage

/// Lets people see their own avatar, even when the picture belongs to another person.
struct AvatarVisibility: PictureVisibility {
    func isVisible(_ picture: ID<Picture>, to viewer: PersonID, in tx: Transaction) throws -> Bool {
        try AccountStore.wears(picture, viewer, in: tx)
    }
}
