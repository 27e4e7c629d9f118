import CZlib

/// Unpacks gzip (RFC 1952) into a limited number of bytes.
enum Gunzip {
    // zlib reads gzip's header when 16 is added to the size of its window.
    private static let windowBits: Int32 = 15 + 16
    private static let pieceBytes = 64 * 1024

    /// - Throws: ``MapFileError`` for damaged bytes, and for more than `limit` unpacked ones.
    static func unpack(_ bytes: [UInt8], limit: Int, part: String) throws(MapFileError) -> [UInt8] {
        // zlib keeps a pointer to it, so its address must not change.
        let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        stream.initialize(to: z_stream())
        defer { stream.deallocate() }
        guard inflateInit2_(stream, windowBits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
            throw MapFileError("can't be unpacked: no memory")
        }
        defer { inflateEnd(stream) }
        var input = bytes
        var output: [UInt8] = []
        var status = Z_OK
        var position = 0
        while status == Z_OK {
            let piece = [UInt8](unsafeUninitializedCapacity: pieceBytes) { buffer, filled in
                input.withUnsafeMutableBufferPointer { source in
                    stream.pointee.next_in = source.baseAddress.map { $0 + position }
                    stream.pointee.avail_in = uInt(source.count - position)
                    stream.pointee.next_out = buffer.baseAddress
                    stream.pointee.avail_out = uInt(buffer.count)
                    status = inflate(stream, Z_NO_FLUSH)
                    position = source.count - Int(stream.pointee.avail_in)
                }
                filled = buffer.count - Int(stream.pointee.avail_out)
            }
            output += piece
            guard output.count <= limit else { throw .damaged("\(part) unpacks to more than \(limit) bytes") }
        }
        guard status == Z_STREAM_END else { throw .damaged("\(part) can't be unpacked") }
        return output
    }
}
