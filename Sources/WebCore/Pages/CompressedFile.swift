import NIOCore
import Synchronization

/// The compressed version of a file. Compressing all files would be a tenth of a server's start, and takes too long for
/// an event loop.
final class CompressedFile: Sendable {
    private let compressed: Mutex<ByteBuffer?>

    /// - Parameter compressed: `nil` for a file that is compressed later.
    init(_ compressed: [UInt8]? = nil) { self.compressed = Mutex(compressed.map(ByteBuffer.init(bytes:))) }

    /// The compressed contents; `nil` until they are made.
    var contents: ByteBuffer? { compressed.withLock(\.self) }

    /// Compresses the original, if that wasn't done before.
    func make(from original: ByteBuffer) {
        guard contents == nil, let bytes = Gzip.compressed(Array(buffer: original)) else { return }
        compressed.withLock { $0 = ByteBuffer(bytes: bytes) }
    }
}
