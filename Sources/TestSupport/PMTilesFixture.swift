import CZlib
import Foundation

/// The bytes of a PMTiles file, version 3, written by the letter of its specification.
package struct PMTilesFixture {
    /// An entry of a directory, with its numbers as they are stored.
    package struct Entry {
        package var tileID: UInt64
        package var offset: UInt64
        package var length: UInt64
        package var runLength: UInt64

        package init(_ tileID: UInt64, offset: UInt64, length: UInt64, runLength: UInt64 = 1) {
            self.tileID = tileID
            self.offset = offset
            self.length = length
            self.runLength = runLength
        }
    }

    /// A picture of one pixel.
    package static let png: [UInt8] = Array(
        Data(
            base64Encoded:
                "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
        ) ?? Data())

    package var root: [UInt8] = []
    package var leaves: [UInt8] = []
    package var tiles: [UInt8] = []
    package var metadata: [UInt8] = Array(#"{"attribution":"Made for a test"}"#.utf8)
    package var zooms: ClosedRange<UInt8> = 0...2
    /// West, south, east and north in ten-millionths of a degree.
    package var bounds: [Int32] = [-100_000_000, -200_000_000, 300_000_000, 400_000_000]
    /// 1 for none, 2 for gzip.
    package var internalCompression: UInt8 = 2
    package var tileCompression: UInt8 = 1
    /// 1 for vector tiles, 2 for PNG.
    package var tileType: UInt8 = 2
    package var version: UInt8 = 3

    package init() {}

    /// A file with tiles by their numbers, each with a content of its own: a PNG with the number after its end.
    package init(tileIDs: [UInt64]) {
        var entries: [Entry] = []
        for id in tileIDs {
            let content = Self.tile(id)
            entries.append(Entry(id, offset: UInt64(tiles.count), length: UInt64(content.count)))
            tiles += content
        }
        root = packed(Self.directory(entries))
    }

    /// The content of the tile with a number.
    package static func tile(_ number: UInt64) -> [UInt8] { png + Array("\(number)".utf8) }

    /// The header, then all parts without gaps.
    package var bytes: [UInt8] {
        var file = Array("PMTiles".utf8) + [version]
        var offset = UInt64(127)
        let metadata = packed(metadata)
        for part in [root, metadata, leaves, tiles] {
            file += Self.number(offset) + Self.number(UInt64(part.count))
            offset += UInt64(part.count)
        }
        for _ in 0..<3 { file += Self.number(0) }
        file += [1, internalCompression, tileCompression, tileType, zooms.lowerBound, zooms.upperBound]
        for degrees in bounds { file += withUnsafeBytes(of: degrees.littleEndian) { Array($0) } }
        // The zoom level and the place that a viewer starts with.
        file += [zooms.lowerBound, 0, 0, 0, 0, 0, 0, 0, 0]
        return file + root + metadata + leaves + tiles
    }

    /// A directory, not packed. An offset that follows the entry before is written as 0.
    package static func directory(_ entries: [Entry]) -> [UInt8] {
        var bytes = varint(UInt64(entries.count))
        var last: UInt64 = 0
        for entry in entries {
            bytes += varint(entry.tileID &- last)
            last = entry.tileID
        }
        for entry in entries { bytes += varint(entry.runLength) }
        for entry in entries { bytes += varint(entry.length) }
        for (index, entry) in entries.enumerated() {
            let follows = index > 0 && entry.offset == entries[index - 1].offset + entries[index - 1].length
            bytes += varint(follows ? 0 : entry.offset &+ 1)
        }
        return bytes
    }

    /// A number of seven bits a byte.
    package static func varint(_ value: UInt64) -> [UInt8] {
        var (bytes, rest) = ([UInt8](), value)
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        return bytes + [UInt8(rest)]
    }

    /// Packs directories and metadata as the header says.
    package func packed(_ bytes: [UInt8]) -> [UInt8] { internalCompression == 2 ? Self.gzip(bytes) : bytes }

    /// Packs bytes as gzip does.
    package static func gzip(_ bytes: [UInt8]) -> [UInt8] {
        let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        stream.initialize(to: z_stream())
        defer { stream.deallocate() }
        deflateInit2_(
            stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        defer { deflateEnd(stream) }
        var input = bytes
        return [UInt8](unsafeUninitializedCapacity: Int(deflateBound(stream, uLong(bytes.count)))) { buffer, filled in
            input.withUnsafeMutableBufferPointer { source in
                stream.pointee.next_in = source.baseAddress
                stream.pointee.avail_in = uInt(source.count)
                stream.pointee.next_out = buffer.baseAddress
                stream.pointee.avail_out = uInt(buffer.count)
                deflate(stream, Z_FINISH)
            }
            filled = buffer.count - Int(stream.pointee.avail_out)
        }
    }

    private static func number(_ value: UInt64) -> [UInt8] { withUnsafeBytes(of: value.littleEndian) { Array($0) } }
}
