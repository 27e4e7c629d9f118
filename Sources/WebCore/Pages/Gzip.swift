import CZlib
import HTTPTypes
import Kernel
import NIOCore

/// Compresses a whole file at once (RFC 1952).
enum Gzip {
    // Adding 16 to the largest window makes zlib write a gzip header.
    private static let windowBits: Int32 = 15 + 16
    private static let memoryLevel: Int32 = 9

    /// - Parameter level: zlib's compression level, from 1, the fastest, to 9, the smallest.
    /// - Returns: `nil` when memory couldn't be allocated.
    static func compressed(_ bytes: [UInt8], level: Int32 = Z_BEST_COMPRESSION) -> [UInt8]? {
        // zlib keeps a pointer to the stream, so it must not move.
        let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        stream.initialize(to: z_stream())
        defer { stream.deallocate() }
        let begun = deflateInit2_(
            stream, level, Z_DEFLATED, windowBits, memoryLevel, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size)
        )
        guard begun == Z_OK else { return nil }
        defer { deflateEnd(stream) }
        var input = bytes
        var status = Z_OK
        let bound = Int(deflateBound(stream, uLong(bytes.count)))
        let output = input.withUnsafeMutableBufferPointer { source in
            [UInt8](unsafeUninitializedCapacity: bound) { buffer, filled in
                stream.pointee.next_in = source.baseAddress
                stream.pointee.avail_in = uInt(source.count)
                stream.pointee.next_out = buffer.baseAddress
                stream.pointee.avail_out = uInt(buffer.count)
                status = deflate(stream, Z_FINISH)
                filled = buffer.count - Int(stream.pointee.avail_out)
            }
        }
        return status == Z_STREAM_END ? output : nil
    }
}

/// Compresses pages. They are rendered for each request and compress well: a list of twenty items to a sixth.
enum CompressedPage {
    private static let worthItBytes = 1_400
    // Above this level, time grows faster than size shrinks.
    private static let level: Int32 = 5

    /// Returns the page as it is sent, and adds the headers that describe it.
    /// - Parameter accepted: the request's `Accept-Encoding`.
    static func body(_ html: String, accepted: String?, _ headers: inout HTTPFields) -> ByteBuffer {
        headers[values: .vary].append("Accept-Encoding")
        guard html.utf8.count >= worthItBytes, takesGzip(accepted),
            let packed = Gzip.compressed(Array(html.utf8), level: level)
        else { return ByteBuffer(string: html) }
        headers[.contentEncoding] = "gzip"
        return ByteBuffer(bytes: packed)
    }

    /// Whether a request's `Accept-Encoding` names gzip with a weight above 0.
    static func takesGzip(_ header: String?) -> Bool {
        guard let header else { return false }
        return header.split(separator: ",").contains { coding in
            let parts = coding.split(separator: ";").map { $0.trimmingSpaces().lowercased() }
            return parts.first == "gzip" && !parts.dropFirst().contains { Double($0.dropFirst(2)) == 0 }
        }
    }
}
