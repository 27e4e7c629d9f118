import Foundation
import GRDBSQLite
import Kernel
import Synchronization
import TestSupport
import Testing

@testable import MapFiles

@Suite("Map files")
struct MapFileTests {
    private static func open(_ bytes: [UInt8], in folder: TemporaryFolder) throws -> MapFile {
        let path = folder.file("map")
        try Data(bytes).write(to: URL(filePath: path))
        return try MapFile(path: path)
    }

    private static func place(_ zoom: Int, _ x: Int, _ y: Int) throws -> TileCoordinate {
        try #require(TileCoordinate(zoom: zoom, x: x, y: y))
    }

    /// Returns why a file is refused; empty for one that is opened.
    private static func refusal(_ bytes: [UInt8]) throws -> String {
        let folder = try TemporaryFolder()
        do throws(any Error) {
            _ = try open(bytes, in: folder)
            return ""
        } catch let error as MapFileError {
            return error.description
        }
    }

    // MARK: Numbers

    @Test(
        "A tile's number is the one of the specification",
        arguments: [
            (0, 0, 0, 0), (1, 0, 0, 1), (1, 0, 1, 2), (1, 1, 1, 3), (1, 1, 0, 4), (2, 0, 0, 5),
            (12, 3_423, 1_763, 19_078_479),
        ] as [(Int, Int, Int, UInt64)])
    func numbers(_ zoom: Int, _ x: Int, _ y: Int, _ number: UInt64) throws {
        #expect(TileID.of(try Self.place(zoom, x, y)) == number)
    }

    @Test("The tiles of a zoom level have successive numbers, and neighbours on the curve are neighbours on the map")
    func curve() throws {
        for zoom in 1...6 {
            let side = 1 << zoom
            var places: [UInt64: (Int, Int)] = [:]
            for x in 0..<side { for y in 0..<side { places[TileID.of(try Self.place(zoom, x, y))] = (x, y) } }
            let first = TileID.first(zoom: zoom)
            #expect(places.count == side * side)
            for number in first..<first + UInt64(side * side) - 1 {
                let (one, next) = (try #require(places[number]), try #require(places[number + 1]))
                #expect(abs(one.0 - next.0) + abs(one.1 - next.1) == 1)
            }
        }
    }

    @Test("A place outside the pyramid is no tile")
    func outside() {
        for (zoom, x, y) in [(-1, 0, 0), (0, 1, 0), (3, 8, 0), (3, 0, -1), (27, 0, 0), (60, 0, 0)] {
            #expect(TileCoordinate(zoom: zoom, x: x, y: y) == nil)
        }
    }

    // MARK: PMTiles

    @Test("A PMTiles file gives its tiles and what it says about itself", arguments: [1, 2] as [UInt8])
    func pmtiles(compression: UInt8) async throws {
        let folder = try TemporaryFolder()
        var fixture = PMTilesFixture(tileIDs: [0, 1, 3, 9])
        if compression == 1 {
            let length = UInt64(PMTilesFixture.tile(0).count)
            let entries = ([0, 1, 3, 9] as [UInt64]).enumerated().map { index, id in
                PMTilesFixture.Entry(id, offset: UInt64(index) * length, length: length)
            }
            fixture.root = PMTilesFixture.directory(entries)
            fixture.internalCompression = 1
        }
        let file = try Self.open(fixture.bytes, in: folder)
        #expect(file.metadata.minimumZoom == 0 && file.metadata.maximumZoom == 2)
        #expect(file.metadata.bounds == MapFileMetadata.Bounds(west: -10, south: -20, east: 30, north: 40))
        #expect(file.metadata.attribution?.text == "Made for a test")
        #expect(try await file.tile(try Self.place(1, 1, 1)) == MapTile(bytes: PMTilesFixture.tile(3), format: .png))
        #expect(try await file.tile(try Self.place(0, 0, 0))?.bytes == PMTilesFixture.tile(0))
        #expect(try await file.tile(try Self.place(1, 0, 1)) == nil)
        #expect(try await file.tile(try Self.place(3, 0, 0)) == nil)
    }

    @Test("Tiles with the same content are one entry")
    func runs() async throws {
        var fixture = PMTilesFixture()
        fixture.tiles = PMTilesFixture.tile(7)
        fixture.root = fixture.packed(
            PMTilesFixture.directory([.init(1, offset: 0, length: UInt64(fixture.tiles.count), runLength: 3)]))
        let folder = try TemporaryFolder()
        let file = try Self.open(fixture.bytes, in: folder)
        for (x, y) in [(0, 0), (0, 1), (1, 1)] {
            #expect(try await file.tile(try Self.place(1, x, y))?.bytes == PMTilesFixture.tile(7))
        }
        #expect(try await file.tile(try Self.place(1, 1, 0)) == nil)
        #expect(try await file.tile(try Self.place(0, 0, 0)) == nil)
    }

    @Test("Tiles are found in leaf directories, also in leaves of leaves")
    func leaves() async throws {
        var fixture = PMTilesFixture()
        func leaf(_ entries: [PMTilesFixture.Entry]) -> (offset: UInt64, length: UInt64) {
            let bytes = fixture.packed(PMTilesFixture.directory(entries))
            defer { fixture.leaves += bytes }
            return (UInt64(fixture.leaves.count), UInt64(bytes.count))
        }
        func entry(_ id: UInt64) -> PMTilesFixture.Entry {
            let content = PMTilesFixture.tile(id)
            defer { fixture.tiles += content }
            return .init(id, offset: UInt64(fixture.tiles.count), length: UInt64(content.count))
        }
        let low = leaf([entry(0), entry(1)])
        let deep = leaf([entry(5), entry(6), entry(20)])
        let high = leaf([.init(5, offset: deep.offset, length: deep.length, runLength: 0)])
        fixture.root = fixture.packed(
            PMTilesFixture.directory([
                .init(0, offset: low.offset, length: low.length, runLength: 0),
                .init(5, offset: high.offset, length: high.length, runLength: 0),
            ]))
        let folder = try TemporaryFolder()
        let file = try Self.open(fixture.bytes, in: folder)
        var found: Set<UInt64> = []
        for zoom in 0...2 {
            for x in 0..<1 << zoom {
                for y in 0..<1 << zoom {
                    let place = try Self.place(zoom, x, y)
                    guard let tile = try await file.tile(place) else { continue }
                    #expect(tile.bytes == PMTilesFixture.tile(TileID.of(place)))
                    found.insert(TileID.of(place))
                }
            }
        }
        #expect(found == [0, 1, 5, 6, 20])
    }

    @Test("A file of another kind, or one with vector tiles, is refused with the reason")
    func otherKinds() throws {
        var fixture = PMTilesFixture(tileIDs: [0])
        #expect(try Self.refusal(fixture.bytes) == "")
        fixture.tileType = 1
        #expect(try Self.refusal(fixture.bytes).hasPrefix("contains vector tiles. Only pictures are supported"))
        fixture.tileType = 5
        #expect(try Self.refusal(fixture.bytes).contains("AVIF"))
        fixture.tileType = 2
        fixture.version = 2
        #expect(try Self.refusal(fixture.bytes).contains("only version 3"))
        fixture.version = 3
        fixture.internalCompression = 4
        #expect(try Self.refusal(fixture.bytes).contains("another compression"))
        #expect(try Self.refusal([]).contains("neither"))
        #expect(try Self.refusal(Array("hello".utf8)).contains("neither"))
        #expect(try Self.refusal(Array("PMTiles".utf8)).contains("version"))
        #expect(try Self.refusal(Array("PMTiles\u{3}".utf8)).contains("too short"))
        var vector = PMTilesFixture()
        vector.tiles = PMTilesFixture.gzip([1, 2, 3])
        vector.root = vector.packed(
            PMTilesFixture.directory([.init(0, offset: 0, length: UInt64(vector.tiles.count))]))
        #expect(try Self.refusal(vector.bytes).contains("vector tiles"))
        #expect(throws: MapFileError.self) { try MapFile(path: "/no/such/file") }
        #expect(throws: MapFileError("isn't a file")) { try MapFile(path: "/tmp") }
    }

    @Test("Damaged directories are refused with the reason, and reserve no memory for what they claim")
    func damage() throws {
        let most = UInt64.max
        let varint = PMTilesFixture.varint
        let cases: [(String, [UInt8])] = [
            ("has 18446744073709551615 entries", varint(most)),
            ("has 190000 entries", varint(190_000) + [1, 1, 1, 1]),
            ("too large", Array(repeating: 0xff, count: 11)),
            ("too short", varint(1) + [1, 1, 0x80, 0x80]),
            ("aren't in order", varint(2) + [5, 0, 1, 1, 9, 9, 1, 1]),
            ("aren't in order", varint(2) + varint(9) + varint(most) + [1, 1, 9, 9, 1, 1]),
            ("is empty", varint(1) + [1, 1, 0, 1]),
            ("has no offset", varint(1) + [1, 1, 1, 0]),
            ("is too large", varint(2) + [0, 1, 1, 1, 2, 2] + varint(most) + [0]),
            ("beyond the tile data", varint(1) + [0, 1] + varint(99_999) + [1]),
            ("beyond the tile data", varint(1) + [0, 1] + varint(most) + varint(most)),
            ("beyond its section", varint(1) + [0, 0, 9, 1]),
        ]
        for (reason, directory) in cases {
            var fixture = PMTilesFixture()
            fixture.tiles = PMTilesFixture.png
            fixture.root = fixture.packed(directory)
            let refusal = try Self.refusal(fixture.bytes)
            #expect(refusal.contains(reason), "\(refusal)")
        }
    }

    @Test("A directory that refers to itself is refused")
    func endless() throws {
        var fixture = PMTilesFixture()
        fixture.internalCompression = 1
        fixture.tiles = PMTilesFixture.png
        // The leaf is this directory again.
        fixture.root = PMTilesFixture.directory([.init(0, offset: 0, length: 5, runLength: 0)])
        fixture.leaves = fixture.root
        #expect(try Self.refusal(fixture.bytes) == "is damaged: its directories are too deep")
    }

    @Test("A directory that unpacks to gigabytes is refused early")
    func bomb() throws {
        var fixture = PMTilesFixture()
        fixture.tiles = PMTilesFixture.png
        fixture.root = PMTilesFixture.gzip(Array(repeating: 0, count: 64 * 1024 * 1024))
        #expect(try Self.refusal(fixture.bytes).contains("unpacks to more than"))
        fixture = PMTilesFixture(tileIDs: [0])
        fixture.metadata = Array(repeating: 0x20, count: 5_000_000)
        #expect(try Self.refusal(fixture.bytes).contains("the metadata"))
    }

    @Test("A leaf directory without entries is refused")
    func emptyLeaf() throws {
        var fixture = PMTilesFixture()
        fixture.tiles = PMTilesFixture.png
        fixture.leaves = fixture.packed(PMTilesFixture.directory([]))
        let length = UInt64(fixture.leaves.count)
        fixture.root = fixture.packed(PMTilesFixture.directory([.init(0, offset: 0, length: length, runLength: 0)]))
        #expect(try Self.refusal(fixture.bytes) == "is damaged: a leaf directory is empty")
    }

    @Test("Zoom levels that can't be are refused")
    func zooms() throws {
        var fixture = PMTilesFixture(tileIDs: [0])
        fixture.zooms = 0...200
        #expect(try Self.refusal(fixture.bytes).contains("zoom levels"))
    }

    @Test("A file that changes has another version")
    func versions() throws {
        let folder = try TemporaryFolder()
        let one = try Self.open(PMTilesFixture(tileIDs: [0]).bytes, in: folder).version
        let other = try Self.open(PMTilesFixture(tileIDs: [0, 1]).bytes, in: folder).version
        #expect(one != other && one.count == 12)
        // The same size and start, but another end.
        var bytes = PMTilesFixture(tileIDs: [0, 1]).bytes
        bytes[bytes.count - 1] ^= 1
        #expect(try Self.open(bytes, in: folder).version != other)
    }

    @Test("Copies of a file have the same version, whenever they were written")
    func copies() throws {
        let (folder, bytes) = (try TemporaryFolder(), PMTilesFixture(tileIDs: [0]).bytes)
        let one = try Self.open(bytes, in: folder).version
        let path = folder.file("copy")
        try Data(bytes).write(to: URL(filePath: path))
        try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSince1970: 1)], ofItemAtPath: path)
        #expect(try MapFile(path: path).version == one)
    }

    @Test("A named pipe is refused at once")
    func pipe() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("pipe")
        #expect(mkfifo(path, 0o600) == 0)
        #expect(throws: MapFileError("isn't a file")) { try MapFile(path: path) }
    }

    @Test("Small tiles and directories count in the caches with the memory that they use")
    func weights() async throws {
        var fixture = PMTilesFixture()
        fixture.tiles = [0xff, 0xd8, 0xff]
        fixture.zooms = 0...3
        let leaf = fixture.packed(PMTilesFixture.directory([.init(0, offset: 0, length: 3, runLength: 85)]))
        fixture.leaves = leaf
        let length = UInt64(leaf.count)
        fixture.root = fixture.packed(PMTilesFixture.directory([.init(0, offset: 0, length: length, runLength: 0)]))
        let folder = try TemporaryFolder()
        let file = try Self.open(fixture.bytes, in: folder)
        for x in 0..<8 { for y in 0..<8 { _ = try await file.tile(try Self.place(3, x, y)) } }
        #expect(file.cache.withLock { $0.count == 64 && $0.weight >= 64 * (3 + 256) })
        var archive = try PMTilesArchive(RandomAccessFile(path: folder.file("map")))
        _ = try archive.tile(try Self.place(0, 0, 0))
        #expect(archive.leaves.count == 1 && archive.leaves.weight == 1 + 8)
    }

    @Test("An open file stays readable when it is replaced")
    func replaced() async throws {
        let folder = try TemporaryFolder()
        let file = try Self.open(PMTilesFixture(tileIDs: [0, 2]).bytes, in: folder)
        let other = folder.file("other")
        try Data(PMTilesFixture(tileIDs: [1]).bytes).write(to: URL(filePath: other))
        #expect(rename(other, folder.file("map")) == 0)
        #expect(try await file.tile(try Self.place(1, 0, 1))?.bytes == PMTilesFixture.tile(2))
    }

    @Test("A file that was overwritten with a shorter one gives an error")
    func shortened() async throws {
        let folder = try TemporaryFolder()
        let file = try Self.open(PMTilesFixture(tileIDs: [0, 2]).bytes, in: folder)
        #expect(truncate(folder.file("map"), 130) == 0)
        await #expect(throws: MapFileError.self) { try await file.tile(try Self.place(1, 0, 1)) }
    }

    // MARK: Attribution

    @Test(
        "An attribution is text with at most one link, whatever HTML the file contains",
        arguments: [
            ("© Someone", "© Someone", nil),
            (
                "<a href=\"https://www.openstreetmap.org/copyright\" class=x>&copy; OpenStreetMap contributors</a>",
                "© OpenStreetMap contributors", "https://www.openstreetmap.org/copyright"
            ),
            ("A &amp; B <script>alert(1)</script>", "A & B alert(1)", nil),
            ("<a href='javascript:alert(1)'>Bad</a>", "Bad", nil),
            ("<a href=//evil.example>Bad</a>", "Bad", nil),
            ("One <b", "One <b", nil), ("&amp;lt;", "&lt;", nil),
        ] as [(String, String, String?)])
    func attributions(_ html: String, _ text: String, _ url: String?) throws {
        let attribution = try #require(MapAttribution(html: html))
        #expect(attribution.text == text && attribution.url == url)
    }

    @Test("An attribution without text is none, and a long one is cut")
    func extremes() throws {
        #expect(MapAttribution(html: " <br> ") == nil)
        #expect(MapAttribution(html: String(repeating: "x", count: 5_000))?.text.count == 300)
        for (characters, isKept) in [(2_000, true), (2_001, false)] {
            let url = "https://map.example/".padding(toLength: characters, withPad: "a", startingAt: 0)
            #expect(MapAttribution(html: "<a href=\"\(url)\">Map</a>")?.url == (isKept ? url : nil))
        }
    }
}
