package import Kernel
package import Storage

/// Lets people other than the owner see a picture. Implemented by apps that show pictures with their own objects.
package protocol PictureVisibility: Sendable {
    /// Whether `viewer` may see an object that uses the picture.
    /// - Throws: the database's error.
    func isVisible(_ picture: ID<Picture>, to viewer: PersonID, in tx: Transaction) throws -> Bool
}
