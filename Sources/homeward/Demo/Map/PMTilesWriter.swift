import Foundation
import MapFiles

/// Writes PMTiles version 3 with one directory and without compression, which is enough for a few thousand tiles.
struct PMTilesWriter {
    struct Tile: Sendable {
        let place: TileCoordinate
        let bytes: [UInt8]
    }

    let tiles: [Tile]
    let zooms: ClosedRange<Int>
    let west: Double
    let south: Double
    let east: Double
    let north: Double
    let attribution: String

    private static let headerBytes = 127

    func bytes() throws -> [UInt8] {
        let ordered = tiles.map { (id: TileID.of($0.place), bytes: $0.bytes) }.sorted { $0.id < $1.id }
        var directory: [UInt8] = []
        Self.append(UInt64(ordered.count), to: &directory)
        var last: UInt64 = 0
        for tile in ordered {
            Self.append(tile.id - last, to: &directory)
            last = tile.id
        }
        for _ in ordered { Self.append(1, to: &directory) }
        for tile in ordered { Self.append(UInt64(tile.bytes.count), to: &directory) }
        // Each tile follows the one before.
        for index in ordered.indices { Self.append(index == 0 ? 1 : 0, to: &directory) }
        let metadata = Array(try JSONEncoder().encode(["attribution": attribution]))
        let content = ordered.flatMap(\.bytes)
        var file = header(directory: directory.count, metadata: metadata.count, content: content.count, ordered.count)
        file += directory
        file += metadata
        file += content
        return file
    }

    private func header(directory: Int, metadata: Int, content: Int, _ count: Int) -> [UInt8] {
        var header = Array("PMTiles".utf8) + [3]
        func add(_ value: some FixedWidthInteger) { withUnsafeBytes(of: value.littleEndian) { header += $0 } }
        func addSection(_ offset: Int, _ length: Int) {
            add(UInt64(offset))
            add(UInt64(length))
        }
        let start = Self.headerBytes
        addSection(start, directory)
        addSection(start + directory, metadata)
        addSection(start + directory + metadata, 0)
        addSection(start + directory + metadata, content)
        for _ in 0..<3 { add(UInt64(count)) }
        // Ordered; neither directories nor tiles are compressed; PNG.
        header += [1, 1, 1, 2, UInt8(zooms.lowerBound), UInt8(zooms.upperBound)]
        for degrees in [west, south, east, north] { add(Int32(degrees * 10_000_000)) }
        header.append(UInt8(zooms.upperBound))
        for degrees in [(west + east) / 2, (south + north) / 2] { add(Int32(degrees * 10_000_000)) }
        return header
    }

    private static func append(_ value: UInt64, to bytes: inout [UInt8]) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(rest & 0x7f) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }
}
