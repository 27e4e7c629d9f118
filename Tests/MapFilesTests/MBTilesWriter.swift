import GRDBSQLite
import Kernel
import TestSupport
import Testing

/// A writable MBTiles file for a test.
final class MBTilesWriter {
    let path: String
    private var handle: OpaquePointer?

    init(_ folder: TemporaryFolder) throws {
        path = folder.file("map.mbtiles")
        try #require(sqlite3_open(path, &handle) == SQLITE_OK)
        try run("CREATE TABLE metadata (name TEXT, value TEXT)")
        try run("CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB)")
        try run("CREATE UNIQUE INDEX tile_index ON tiles (zoom_level, tile_column, tile_row)")
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
