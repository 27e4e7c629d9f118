import Foundation
import GRDBSQLite
import Kernel
import TestSupport
import Testing

@testable import MapFiles

@Suite("MBTiles files")
struct MBTilesTests {
    /// A writable database for a test.
    private final class Writer {
        let path: String
        private var handle: OpaquePointer?

        init(_ folder: TemporaryFolder) throws {
            path = folder.file("map.mbtiles")
            try #require(sqlite3_open(path, &handle) == SQLITE_OK)
            try run("CREATE TABLE metadata (name TEXT, value TEXT)")
            try run("CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB)")
        }

        deinit { sqlite3_close(handle) }

        func run(_ sql: String) throws { try #require(sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK) }

        func add(_ zoom: Int, _ column: Int, _ row: Int, _ bytes: [UInt8]) throws {
            let text = Hexadecimal.encoded(bytes)
            try run("INSERT INTO tiles VALUES (\(zoom), \(column), \(row), x'\(text)')")
        }

        func say(_ name: String, _ value: String) throws {
            try run("INSERT INTO metadata VALUES ('\(name)', '\(value)')")
        }
    }

    private static func place(_ zoom: Int, _ x: Int, _ y: Int) throws -> TileCoordinate {
        try #require(TileCoordinate(zoom: zoom, x: x, y: y))
    }

    private static func refusal(_ path: String) -> String {
        do throws(MapFileError) {
            _ = try MapFile(path: path)
            return ""
        } catch {
            return error.description
        }
    }

    @Test("An MBTiles file gives its tiles, whose rows count from the south, and what it says about itself")
    func reads() async throws {
        let folder = try TemporaryFolder()
        let writer = try Writer(folder)
        for (name, value) in [
            ("format", "png"), ("minzoom", "1"), ("maxzoom", "2"), ("bounds", "-10,-20, 30,40"),
            ("attribution", "<a href=\"https://map.example\">Map</a>"),
        ] { try writer.say(name, value) }
        try writer.add(1, 0, 0, PMTilesFixture.tile(1))
        try writer.add(2, 3, 1, PMTilesFixture.tile(2))
        let file = try MapFile(path: writer.path)
        #expect(file.metadata.minimumZoom == 1 && file.metadata.maximumZoom == 2)
        #expect(file.metadata.bounds == MapFileMetadata.Bounds(west: -10, south: -20, east: 30, north: 40))
        #expect(file.metadata.attribution == MapAttribution(html: "<a href=\"https://map.example\">Map</a>"))
        #expect(try await file.tile(try Self.place(1, 0, 1))?.bytes == PMTilesFixture.tile(1))
        #expect(try await file.tile(try Self.place(1, 0, 0)) == nil)
        #expect(try await file.tile(try Self.place(2, 3, 2))?.bytes == PMTilesFixture.tile(2))
        // The second time from the cache.
        #expect(try await file.tile(try Self.place(2, 3, 2))?.format == .png)
    }

    @Test("The zoom levels are those of the tiles if the file doesn't say them")
    func zooms() throws {
        let folder = try TemporaryFolder()
        let writer = try Writer(folder)
        try writer.add(3, 0, 0, PMTilesFixture.png)
        try writer.add(5, 0, 0, PMTilesFixture.png)
        let metadata = try MapFile(path: writer.path).metadata
        #expect(metadata.minimumZoom == 3 && metadata.maximumZoom == 5)
        #expect(metadata.bounds == nil && metadata.attribution == nil)
    }

    @Test("Vector tiles, other databases, empty and damaged files are refused with the reason")
    func refusals() throws {
        let folder = try TemporaryFolder()
        let writer = try Writer(folder)
        #expect(Self.refusal(writer.path) == "contains no tiles")
        try writer.add(0, 0, 0, PMTilesFixture.gzip([1, 2]))
        #expect(Self.refusal(writer.path).contains("vector tiles. Only pictures"))
        try writer.say("format", "pbf")
        #expect(Self.refusal(writer.path).contains("vector tiles. Only pictures"))
        try writer.run("UPDATE metadata SET value = 'svg'")
        #expect(Self.refusal(writer.path).contains("another format"))
        try writer.run("UPDATE metadata SET value = 'png'")
        try writer.say("maxzoom", "4000000000")
        #expect(Self.refusal(writer.path).contains("zoom levels"))
        try writer.run("DROP TABLE tiles")
        #expect(Self.refusal(writer.path).contains("isn't a usable MBTiles file"))
        let broken = folder.file("broken")
        try Data(Array("SQLite format 3\0".utf8) + Array(repeating: 7, count: 5_000)).write(to: URL(filePath: broken))
        #expect(Self.refusal(broken).contains("isn't a usable MBTiles file"))
    }

    @Test("A tile or a text of more than the limit is refused before it is in memory")
    func absurdSizes() async throws {
        let folder = try TemporaryFolder()
        let writer = try Writer(folder)
        try writer.add(0, 0, 0, PMTilesFixture.png)
        try writer.run("INSERT INTO tiles VALUES (1, 0, 0, zeroblob(200000000))")
        let file = try MapFile(path: writer.path)
        await #expect(throws: MapFileError.self) { try await file.tile(try Self.place(1, 0, 1)) }
        #expect(try await file.tile(try Self.place(0, 0, 0))?.bytes == PMTilesFixture.png)
        try writer.run("INSERT INTO metadata VALUES ('attribution', CAST(zeroblob(200000000) AS TEXT))")
        #expect(Self.refusal(writer.path).contains("over 1 MiB"))
    }
}
