import Foundation
import GRDBSQLite
import Kernel

/// An MBTiles file: an SQLite database with a table (or view) of tiles. SQLite is used directly, because its limits
/// keep a file with absurd values from using memory.
struct MBTilesArchive: TileArchive {
    let metadata: MapFileMetadata
    private let connection: Connection

    /// - Throws: ``MapFileError``.
    init(path: String) throws(MapFileError) {
        let connection = try Connection(path: path)
        self.connection = connection
        var values: [String: String] = [:]
        for row in try connection.texts("SELECT name, value FROM metadata LIMIT 200") { values[row.0] = row.1 }
        switch values["format"] {
        case nil, "png", "jpg", "jpeg", "webp", "image/png", "image/jpeg", "image/webp": break
        case "pbf", "mvt": throw .unsupported("vector tiles")
        default: throw .unsupported("tiles of another format")
        }
        func zoom(_ name: String, _ function: String) throws(MapFileError) -> Int {
            if let text = values[name], let zoom = Int(text) { return zoom }
            guard let zoom = try connection.number("SELECT \(function)(zoom_level) FROM tiles") else {
                throw MapFileError("contains no tiles")
            }
            return zoom
        }
        let corners = (values["bounds"] ?? "").split(separator: ",").compactMap {
            Double($0.trimmingCharacters(in: .whitespaces))
        }
        let bounds =
            corners.count == 4
            ? MapFileMetadata.Bounds(west: corners[0], south: corners[1], east: corners[2], north: corners[3]) : nil
        metadata = try MapFileMetadata(
            minimumZoom: try zoom("minzoom", "MIN"), maximumZoom: try zoom("maxzoom", "MAX"), bounds: bounds,
            attribution: values["attribution"])
    }

    mutating func tile(_ tile: TileCoordinate) throws(MapFileError) -> [UInt8]? {
        // The rows of MBTiles count from the south.
        let row = (1 << tile.zoom) - 1 - tile.y
        return try connection.blob(
            "SELECT tile_data FROM tiles WHERE zoom_level = ?1 AND tile_column = ?2 AND tile_row = ?3",
            [tile.zoom, tile.x, row])
    }

    mutating func anyTile() throws(MapFileError) -> [UInt8]? {
        try connection.blob("SELECT tile_data FROM tiles LIMIT 1", [])
    }
}

extension MBTilesArchive {
    /// A read-only connection. It is used by one thread at a time.
    final class Connection: @unchecked Sendable {
        private let handle: OpaquePointer

        init(path: String) throws(MapFileError) {
            var handle: OpaquePointer?
            // "file:" with `immutable` would read a database without its journal; a file that is being written is
            // refused by its lock instead.
            let status = sqlite3_open_v2(path, &handle, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, nil)
            guard status == SQLITE_OK, let handle else {
                sqlite3_close_v2(handle)
                throw MapFileError("can't be opened as SQLite")
            }
            self.handle = handle
            sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, Int32(Limits.mapTileBytes))
            sqlite3_limit(handle, SQLITE_LIMIT_ATTACHED, 0)
            sqlite3_exec(handle, "PRAGMA trusted_schema = OFF; PRAGMA query_only = ON;", nil, nil, nil)
        }

        deinit { sqlite3_close_v2(handle) }

        func texts(_ sql: String) throws(MapFileError) -> [(String, String)] {
            var rows: [(String, String)] = []
            try forEachRow(sql, []) { statement in
                guard let name = sqlite3_column_text(statement, 0), let value = sqlite3_column_text(statement, 1) else {
                    return
                }
                rows.append((String(cString: name), String(cString: value)))
            }
            return rows
        }

        func number(_ sql: String) throws(MapFileError) -> Int? {
            var number: Int?
            try forEachRow(sql, []) { statement in
                if sqlite3_column_type(statement, 0) == SQLITE_INTEGER {
                    number = Int(sqlite3_column_int64(statement, 0))
                }
            }
            return number
        }

        func blob(_ sql: String, _ values: [Int]) throws(MapFileError) -> [UInt8]? {
            var found: [UInt8]?
            try forEachRow(sql, values) { statement in
                let count = Int(sqlite3_column_bytes(statement, 0))
                guard let bytes = sqlite3_column_blob(statement, 0) else { return }
                found = Array(UnsafeRawBufferPointer(start: bytes, count: count))
            }
            return found
        }

        private func forEachRow(
            _ sql: String, _ values: [Int], _ body: (OpaquePointer) -> Void
        ) throws(MapFileError) {
            var statement: OpaquePointer?
            guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK, let statement else {
                throw failure()
            }
            defer { sqlite3_finalize(statement) }
            for (index, value) in values.enumerated() { sqlite3_bind_int64(statement, Int32(index) + 1, Int64(value)) }
            while true {
                switch sqlite3_step(statement) {
                case SQLITE_ROW: body(statement)
                case SQLITE_DONE: return
                case SQLITE_TOOBIG: throw MapFileError("has a tile or a text of over 1 MiB")
                default: throw failure()
                }
            }
        }

        private func failure() -> MapFileError {
            let reason = String(cString: sqlite3_errmsg(handle))
            return MapFileError("isn't a usable MBTiles file: \(reason)")
        }
    }
}
