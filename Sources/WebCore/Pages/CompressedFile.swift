import NIOCore
import Synchronization

/// The compressed version of a file. It is made at the first request: compressing all files would be a tenth of a
/// server's start.
final class CompressedFile: Sendable {
    private enum State {
        case original([UInt8])
        case compressed(ByteBuffer)
        /// Memory couldn't be allocated.
        case unavailable
    }

    private let state: Mutex<State>

    init(original: [UInt8]) { state = Mutex(.original(original)) }

    init(compressed: [UInt8]) { state = Mutex(.compressed(ByteBuffer(bytes: compressed))) }

    /// The compressed contents; `nil` when they couldn't be made.
    var contents: ByteBuffer? {
        state.withLock { state in
            if case .original(let bytes) = state {
                state = Gzip.compressed(bytes).map { .compressed(ByteBuffer(bytes: $0)) } ?? .unavailable
            }
            guard case .compressed(let contents) = state else { return nil }
            return contents
        }
    }
}
