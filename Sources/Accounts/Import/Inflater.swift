import CZlib

/// Expands raw deflate (RFC 1951) piece by piece.
final class Inflater {
    enum Failure: Error, Equatable, Sendable {
        /// Memory allocation failed.
        case noMemory
        /// The bytes aren't deflate.
        case damaged
    }

    // ZIP contains raw deflate without zlib's header. A negative window size selects it.
    private static let windowBits: Int32 = -15

    // zlib keeps a pointer to it, so its address must not change.
    private let stream: UnsafeMutablePointer<z_stream>
    private var input: [UInt8] = []
    private var position = 0
    /// Whether the stream is complete.
    private(set) var isFinished = false

    init() throws(Failure) {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        let status = inflateInit2_(stream, Self.windowBits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        guard status == Z_OK else {
            stream.deallocate()
            throw status == Z_MEM_ERROR ? .noMemory : .damaged
        }
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
    }

    /// The bytes of the input that aren't consumed yet.
    var unreadCount: Int { input.count - position }

    /// Adds input. The previous one must be consumed.
    func append(_ bytes: [UInt8]) {
        input = bytes
        position = 0
    }

    /// Returns at most `limit` bytes of output. Empty if more input is needed, or at the end.
    func next(limit: Int) throws(Failure) -> [UInt8] {
        guard !isFinished else { return [] }
        var status = Z_OK
        let output = [UInt8](unsafeUninitializedCapacity: limit) { buffer, filled in
            input.withUnsafeMutableBufferPointer { source in
                stream.pointee.next_in = source.baseAddress.map { $0 + position }
                stream.pointee.avail_in = uInt(source.count - position)
                stream.pointee.next_out = buffer.baseAddress
                stream.pointee.avail_out = uInt(buffer.count)
                status = inflate(stream, Z_NO_FLUSH)
                position = source.count - Int(stream.pointee.avail_in)
                stream.pointee.next_in = nil
            }
            filled = buffer.count - Int(stream.pointee.avail_out)
        }
        switch status {
        case Z_STREAM_END: isFinished = true
        // Without input or room, zlib returns Z_BUF_ERROR, which isn't an error here.
        case Z_OK, Z_BUF_ERROR: break
        case Z_MEM_ERROR: throw .noMemory
        default: throw .damaged
        }
        return output
    }
}
