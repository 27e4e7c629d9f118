import Foundation
import Kernel
import TestSupport
import Testing

@testable import MapFiles

@Suite("Damaged map files")
struct MapFileMutationTests {
    /// A file with two levels of leaf directories that aren't packed, so that changed bytes reach their reader. One of
    /// them is empty.
    private static func leaves() -> PMTilesFixture {
        var fixture = PMTilesFixture()
        fixture.internalCompression = 1
        func leaf(_ entries: [PMTilesFixture.Entry]) -> PMTilesFixture.Entry {
            let bytes = PMTilesFixture.directory(entries)
            defer { fixture.leaves += bytes }
            return .init(
                entries.first?.tileID ?? 16, offset: UInt64(fixture.leaves.count), length: UInt64(bytes.count),
                runLength: 0)
        }
        func tile(_ id: UInt64) -> PMTilesFixture.Entry {
            let content = PMTilesFixture.tile(id)
            defer { fixture.tiles += content }
            return .init(id, offset: UInt64(fixture.tiles.count), length: UInt64(content.count))
        }
        let low = leaf([tile(0), tile(1), tile(2)])
        let high = leaf([leaf([tile(5), tile(6)]), leaf([tile(9)])])
        fixture.root = PMTilesFixture.directory([low, tile(3), high, leaf([])])
        return fixture
    }

    /// Opens a file and reads its tiles. Only a crash or an endless loop would be a failure.
    private static func read(_ bytes: [UInt8], in folder: TemporaryFolder) async throws {
        let path = folder.file("map")
        try Data(bytes).write(to: URL(filePath: path))
        guard let file = try? MapFile(path: path) else { return }
        for zoom in 0...2 {
            for x in 0..<1 << zoom {
                for y in 0..<1 << zoom {
                    guard let place = TileCoordinate(zoom: zoom, x: x, y: y) else { continue }
                    _ = try? await file.tile(place)
                }
            }
        }
    }

    @Test("A PMTiles file that is cut off anywhere is refused or read, and never crashes", arguments: 0..<8)
    func cutOff(part: Int) async throws {
        let folder = try TemporaryFolder()
        for whole in [PMTilesFixture(tileIDs: [0, 1, 2, 3, 4, 7]).bytes, Self.leaves().bytes] {
            for length in stride(from: part, to: whole.count, by: 8 * 3) {
                try await Self.read(Array(whole[..<length]), in: folder)
            }
        }
    }

    @Test("A PMTiles file with other bytes is refused or read, and never crashes", arguments: 0..<8)
    func pmtiles(seed: UInt64) async throws {
        let folder = try TemporaryFolder()
        let random = SeededRandom(seed: seed)
        let fixture = Self.leaves()
        for whole in [PMTilesFixture(tileIDs: [0, 1, 2, 3, 4, 7]).bytes, fixture.bytes] {
            // Header, directories and metadata, without most of the pictures.
            let start = 127 + fixture.root.count + fixture.metadata.count + fixture.leaves.count
            for _ in 0..<150 {
                var bytes = whole
                for _ in 0..<3 {
                    let header = random.uint64() % 2 == 0
                    bytes[Int(random.uint64() % UInt64(header ? 127 : start))] = UInt8(
                        truncatingIfNeeded: random.uint64())
                }
                try await Self.read(bytes, in: folder)
            }
        }
    }

    @Test("An MBTiles file with other bytes is refused or read, and never crashes", arguments: 0..<8)
    func mbtiles(seed: UInt64) async throws {
        let folder = try TemporaryFolder()
        let random = SeededRandom(seed: seed)
        let writer = try MBTilesWriter(folder)
        try writer.say("attribution", "Made for a test")
        for zoom in 0...2 { try writer.add(zoom, 0, 0, PMTilesFixture.png) }
        let whole = Array(try Data(contentsOf: URL(filePath: writer.path)))
        // Most bytes of the pages are unused.
        let used = whole.indices.filter { whole[$0] != 0 }
        for _ in 0..<60 {
            var bytes = whole
            for _ in 0..<3 {
                bytes[used[Int(random.uint64() % UInt64(used.count))]] = UInt8(truncatingIfNeeded: random.uint64())
            }
            try await Self.read(bytes, in: folder)
        }
    }
}
