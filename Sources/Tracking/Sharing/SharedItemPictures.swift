import Kernel
package import Pictures
import Storage

/// Lets the people with whom an item is shared see its photo.
struct SharedItemPictures: PictureVisibility {
    func isVisible(_ picture: ID<Picture>, to viewer: PersonID, in tx: Transaction) throws -> Bool {
        try tx.row(
            """
            SELECT 1 AS found FROM item i JOIN item_member m ON m.item_id = i.id
            WHERE i.picture_id = \(picture) AND m.account_id = \(viewer) LIMIT 1
            """
        ) != nil
    }
}

extension TrackingServices {
    /// Lets the people with whom an item is shared see its photo.
    package static var pictureVisibility: any PictureVisibility { SharedItemPictures() }
}
