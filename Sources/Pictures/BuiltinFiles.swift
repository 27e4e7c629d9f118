import Kernel
import Synchronization

/// The files of the built-in pictures by size. Creates the small ones on first use.
///
/// The files are trusted, so they are decoded in the server's process.
final class BuiltinFiles: Sendable {
    private let small = Mutex<[ID<Picture>: [UInt8]]>([:])

    /// - Returns: `nil` if the picture isn't built in.
    func data(_ id: ID<Picture>, size: PictureSize) -> [UInt8]? {
        guard let file = BuiltinPictures.file(of: id) else { return nil }
        guard size == .small else { return file }
        if let made = small.withLock({ $0[id] }) { return made }
        let made = JPEGFile.decode(file)?.scaledDown(longestSide: size.longestSide)?.jpeg() ?? file
        small.withLock { $0[id] = made }
        return made
    }
}
