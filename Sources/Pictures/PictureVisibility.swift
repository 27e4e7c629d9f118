package import Kernel
package import Storage

/// Lets others than its owner see a picture: an app that shows a picture with a thing says who may see that thing.
package protocol PictureVisibility: Sendable {
    /// Whether `viewer` may see something that uses the picture.
    /// - Throws: what the store throws.
    func isVisible(_ picture: ID<Picture>, to viewer: PersonID, in tx: Transaction) throws -> Bool
}
