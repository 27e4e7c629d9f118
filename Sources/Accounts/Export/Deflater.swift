import CZlib

/// Compresses bytes piece by piece (RFC 1951), and computes the CRC-32 that ZIP needs.
final class Deflater {
    enum Failure: Error, Equatable, Sendable {
        /// Memory allocation failed.
        case noMemory
        /// The status code of zlib.
        case broken(Int32)
    }

    // ZIP contains raw deflate without zlib's header. A negative window size selects it.
    private static let windowBits: Int32 = -15
    private static let memoryLevel: Int32 = 8
    private static let bufferBytes = 64 * 1024

    // zlib keeps a pointer to it, so its address must not change.
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

    /// Returns the compressed output so far. Empty while zlib buffers the input.
    func append(_ bytes: [UInt8]) throws(Failure) -> [UInt8] { try run(bytes, flush: Z_NO_FLUSH) }

    /// Returns the remaining output.
    func finish() throws(Failure) -> [UInt8] { try run([], flush: Z_FINISH) }

    /// Continues the CRC-32 checksum `sum` with `bytes` (ISO 3309).
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

    /// Runs until zlib has consumed all input and written all available output.
    private func drain(into output: inout [UInt8], flush: Int32) -> Int32 {
        while true {
            var status = Z_OK
            output += [UInt8](unsafeUninitializedCapacity: Self.bufferBytes) { buffer, filled in
                stream.pointee.next_out = buffer.baseAddress
                stream.pointee.avail_out = uInt(buffer.count)
                status = deflate(stream, flush)
                filled = buffer.count - Int(stream.pointee.avail_out)
            }
            // With nothing left to do, zlib returns Z_BUF_ERROR, which isn't an error here.
            if status == Z_BUF_ERROR { return Z_OK }
            guard status == Z_OK, stream.pointee.avail_out == 0 else { return status }
        }
    }
}
