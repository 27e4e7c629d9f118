import Kernel
import Synchronization

/// The files of built-in avatars in their sizes. The small ones are made when they are asked for the first time.
///
/// They are ours, so nothing speaks against decoding them in this process.
final class BuiltinFiles: Sendable {
    private let small = Mutex<[ID<Picture>: [UInt8]]>([:])

    /// - Returns: `nil` for a picture that isn't built in.
    func data(_ id: ID<Picture>, size: PictureSize) -> [UInt8]? {
        guard let file = BuiltinAvatars.file(of: id) else { return nil }
        guard size == .small else { return file }
        if let made = small.withLock({ $0[id] }) { return made }
        let made = GDImage.decode(file, format: .jpeg)?.shrunk(longestSide: size.longestSide)?.jpeg() ?? file
        small.withLock { $0[id] = made }
        return made
    }
}
