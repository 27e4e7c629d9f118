import CZlib

/// Compresses bytes piece by piece (RFC 1951), and sums them up as ZIP does.
final class Deflater {
    enum Failure: Error, Equatable, Sendable {
        /// There was no memory for it.
        case noMemory
        /// zlib's own number of what went wrong.
        case broken(Int32)
    }

    // ZIP holds raw deflate, without zlib's header: zlib is told so by a negative window.
    private static let windowBits: Int32 = -15
    private static let memoryLevel: Int32 = 8
    private static let bufferBytes = 64 * 1024

    // zlib keeps a pointer back to it, so it must stay where it is.
    private let stream: UnsafeMutablePointer<z_stream>

    init() throws(Failure) {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        let status = deflateInit2_(
            stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, Self.windowBits, Self.memoryLevel, Z_DEFAULT_STRATEGY,
            ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)
        )
        guard status == Z_OK else {
            stream.deallocate()
            throw status == Z_MEM_ERROR ? .noMemory : .broken(status)
        }
    }

    deinit {
        deflateEnd(stream)
        stream.deallocate()
    }

    /// What `bytes` became; empty while there is too little to write.
    func append(_ bytes: [UInt8]) throws(Failure) -> [UInt8] { try run(bytes, flush: Z_NO_FLUSH) }

    /// The rest.
    func finish() throws(Failure) -> [UInt8] { try run([], flush: Z_FINISH) }

    /// The checksum of `bytes` after those that made `sum` (ISO 3309).
    static func checksum(_ sum: UInt32, _ bytes: [UInt8]) -> UInt32 {
        UInt32(truncatingIfNeeded: crc32_z(uLong(sum), bytes, bytes.count))
    }

    private func run(_ bytes: [UInt8], flush: Int32) throws(Failure) -> [UInt8] {
        var input = bytes
        var output: [UInt8] = []
        let status = input.withUnsafeMutableBufferPointer { source in
            stream.pointee.next_in = source.baseAddress
            stream.pointee.avail_in = uInt(source.count)
            let status = drain(into: &output, flush: flush)
            stream.pointee.next_in = nil
            return status
        }
        guard status == (flush == Z_FINISH ? Z_STREAM_END : Z_OK) else { throw .broken(status) }
        return output
    }

    /// Runs until all that was given is taken in, and all that is ready is out.
    private func drain(into output: inout [UInt8], flush: Int32) -> Int32 {
        while true {
            var status = Z_OK
            output += [UInt8](unsafeUninitializedCapacity: Self.bufferBytes) { buffer, filled in
                stream.pointee.next_out = buffer.baseAddress
                stream.pointee.avail_out = uInt(buffer.count)
                status = deflate(stream, flush)
                filled = buffer.count - Int(stream.pointee.avail_out)
            }
            // With nothing left to do it says that it can't go on, which is no fault.
            if status == Z_BUF_ERROR { return Z_OK }
            guard status == Z_OK, stream.pointee.avail_out == 0 else { return status }
        }
    }
}
