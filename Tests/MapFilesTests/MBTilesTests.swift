import Foundation
import GRDBSQLite
import Kernel
import TestSupport
import Testing

@testable import MapFiles

@Suite("MBTiles files")
struct MBTilesTests {
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
        let writer = try MBTilesWriter(folder)
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
        let writer = try MBTilesWriter(folder)
        try writer.add(3, 0, 0, PMTilesFixture.png)
        try writer.add(5, 0, 0, PMTilesFixture.png)
        let metadata = try MapFile(path: writer.path).metadata
        #expect(metadata.minimumZoom == 3 && metadata.maximumZoom == 5)
        #expect(metadata.bounds == nil && metadata.attribution == nil)
    }

    @Test("Vector tiles, other databases, empty and damaged files are refused with the reason")
    func refusals() throws {
        let folder = try TemporaryFolder()
        let writer = try MBTilesWriter(folder)
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
        let writer = try MBTilesWriter(folder)
        try writer.add(0, 0, 0, PMTilesFixture.png)
        try writer.run("INSERT INTO tiles VALUES (1, 0, 0, zeroblob(200000000))")
        let file = try MapFile(path: writer.path)
        await #expect(throws: MapFileError.self) { try await file.tile(try Self.place(1, 0, 1)) }
        #expect(try await file.tile(try Self.place(0, 0, 0))?.bytes == PMTilesFixture.png)
        try writer.run("INSERT INTO metadata VALUES ('attribution', CAST(zeroblob(200000000) AS TEXT))")
        #expect(Self.refusal(writer.path).contains("over 1 MiB"))
    }

    // MARK: Time and memory

    private static let endless = """
        WITH RECURSIVE numbers(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM numbers)
        SELECT i AS zoom_level, i AS tile_column, i AS tile_row, x'00' AS tile_data, i AS name, i AS value FROM numbers
        """

    @Test("A view without an end is refused, for the metadata as for the tiles", arguments: ["metadata", "tiles"])
    func endlessViews(name: String) throws {
        let folder = try TemporaryFolder()
        let writer = try MBTilesWriter(folder)
        try writer.add(0, 0, 0, PMTilesFixture.png)
        try writer.run("DROP TABLE \(name); CREATE VIEW \(name) AS \(Self.endless)")
        #expect(Self.refusal(writer.path).contains("sort, repeat or store rows"))
    }

    @Test("A view that reads too many rows is interrupted")
    func slowViews() throws {
        let folder = try TemporaryFolder()
        let writer = try MBTilesWriter(folder)
        try writer.add(0, 0, 0, PMTilesFixture.png)
        try writer.run(
            """
            CREATE TABLE digits (i INTEGER); INSERT INTO digits VALUES (0), (1), (2), (3), (4), (5), (6), (7), (8), (9);
            DROP TABLE metadata;
            CREATE VIEW metadata AS SELECT 'format' AS name, 'png' AS value
            FROM digits a, digits b, digits c, digits d, digits e, digits f, digits g, digits h, digits j, digits k
            WHERE a.i + b.i + c.i + d.i + e.i + f.i + g.i + h.i + j.i + k.i < 0
            """)
        let error = #expect(throws: MapFileError.self) {
            _ = try MBTilesArchive(path: writer.path, statementMilliseconds: 50)
        }
        #expect(error?.description.contains("takes too long") ?? false)
    }

    @Test("A view that sorts its rows is refused, because they would be stored")
    func sortingViews() throws {
        let folder = try TemporaryFolder()
        let writer = try MBTilesWriter(folder)
        try writer.add(0, 0, 0, PMTilesFixture.png)
        try writer.run("ALTER TABLE tiles RENAME TO raw; CREATE VIEW tiles AS SELECT * FROM raw ORDER BY tile_data")
        #expect(Self.refusal(writer.path).contains("sort, repeat or store rows"))
    }

    @Test("A file whose tiles can't be found by an index is refused, and the reason says how to add one")
    func missingIndex() throws {
        let folder = try TemporaryFolder()
        let writer = try MBTilesWriter(folder)
        try writer.add(0, 0, 0, PMTilesFixture.png)
        try writer.run("DROP INDEX tile_index")
        #expect(Self.refusal(writer.path).contains("CREATE UNIQUE INDEX tile_index ON tiles (zoom_level, tile_column"))
        try writer.run("CREATE INDEX only_zoom ON tiles (zoom_level)")
        #expect(Self.refusal(writer.path).contains("has no index for its tiles"))
        try writer.run("CREATE INDEX all_three ON tiles (tile_row, zoom_level, tile_column)")
        #expect(Self.refusal(writer.path) == "")
    }

    @Test("A view over two tables with indexes is read, and only the first of several rows for a tile")
    func views() async throws {
        let folder = try TemporaryFolder()
        let writer = try MBTilesWriter(folder)
        try writer.run(
            """
            DROP TABLE tiles;
            CREATE TABLE map (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_id TEXT);
            CREATE TABLE images (tile_id TEXT, tile_data BLOB);
            CREATE INDEX map_index ON map (zoom_level, tile_column, tile_row);
            CREATE VIEW tiles AS SELECT zoom_level, tile_column, tile_row, tile_data
            FROM map JOIN images ON images.tile_id = map.tile_id;
            INSERT INTO map VALUES (0, 0, 0, 'a'), (0, 0, 0, 'b');
            """)
        for (id, number) in [("a", 1), ("b", 2)] as [(String, UInt64)] {
            let text = Hexadecimal.encoded(PMTilesFixture.tile(number))
            try writer.run("INSERT INTO images VALUES ('\(id)', x'\(text)')")
        }
        #expect(Self.refusal(writer.path).contains("has no index for its tiles"))
        try writer.run("CREATE UNIQUE INDEX images_index ON images (tile_id)")
        let file = try MapFile(path: writer.path)
        #expect(try await file.tile(try Self.place(0, 0, 0))?.bytes == PMTilesFixture.tile(1))
    }

    @Test("Other metadata than the five used values aren't read, however many or large they are")
    func otherMetadata() throws {
        let folder = try TemporaryFolder()
        let writer = try MBTilesWriter(folder)
        try writer.add(0, 0, 0, PMTilesFixture.png)
        for number in 0..<300 { try writer.say("note \(number)", "text") }
        try writer.run("INSERT INTO metadata VALUES ('json', CAST(zeroblob(200000000) AS TEXT))")
        try writer.say("attribution", "Made for a test")
        #expect(try MapFile(path: writer.path).metadata.attribution?.text == "Made for a test")
    }
}
