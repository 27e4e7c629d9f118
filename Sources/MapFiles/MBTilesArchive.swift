import Dispatch
import Foundation
import GRDBSQLite
import Kernel

/// An MBTiles file: an SQLite database with a table (or view) of tiles. SQLite is used directly, because its limits
/// keep a file with absurd values or views from using memory and time.
struct MBTilesArchive: TileArchive {
    let metadata: MapFileMetadata
    private let connection: Connection

    private static let tileSQL =
        "SELECT tile_data FROM tiles WHERE zoom_level = ?1 AND tile_column = ?2 AND tile_row = ?3 LIMIT 1"
    private static let anyTileSQL = "SELECT tile_data FROM tiles LIMIT 1"
    private static let metadataSQL = """
        SELECT name, value FROM metadata
        WHERE name IN ('format', 'minzoom', 'maxzoom', 'bounds', 'attribution') LIMIT 20
        """

    /// - Throws: ``MapFileError``.
    init(
        path: String, statementMilliseconds: UInt64 = Limits.mapStatementMilliseconds
    ) throws(MapFileError) {
        let connection = try Connection(path: path, statementMilliseconds: statementMilliseconds)
        self.connection = connection
        var values: [String: String] = [:]
        try connection.requireNoStoredRows(Self.metadataSQL)
        for row in try connection.texts(Self.metadataSQL) { values[row.0] = row.1 }
        switch values["format"] {
        case nil, "png", "jpg", "jpeg", "webp", "image/png", "image/jpeg", "image/webp": break
        case "pbf", "mvt": throw .unsupported("vector tiles")
        default: throw .unsupported("tiles of another format")
        }
        try connection.requireIndex(Self.tileSQL)
        try connection.requireNoStoredRows(Self.anyTileSQL)
        func zoom(_ name: String, _ function: String) throws(MapFileError) -> Int {
            if let text = values[name], let zoom = Int(text) { return zoom }
            let sql = "SELECT \(function)(zoom_level) FROM tiles"
            try connection.requireNoStoredRows(sql)
            guard let zoom = try connection.number(sql) else {
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
        return try connection.blob(Self.tileSQL, [tile.zoom, tile.x, row])
    }

    mutating func anyTile() throws(MapFileError) -> [UInt8]? {
        try connection.blob(Self.anyTileSQL, [])
    }
}

extension MBTilesArchive {
    /// A read-only connection. It is used by one thread at a time.
    final class Connection: @unchecked Sendable {
        private let handle: OpaquePointer
        private let statementMilliseconds: UInt64
        /// The uptime in nanoseconds at which the present statement is interrupted.
        private let deadline: UnsafeMutablePointer<UInt64>

        init(path: String, statementMilliseconds: UInt64) throws(MapFileError) {
            var handle: OpaquePointer?
            // "file:" with `immutable` would read a database without its journal; a file that is being written is
            // refused by its lock instead.
            let status = sqlite3_open_v2(path, &handle, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, nil)
            guard status == SQLITE_OK, let handle else {
                sqlite3_close_v2(handle)
                throw MapFileError("can't be opened as SQLite")
            }
            self.handle = handle
            self.statementMilliseconds = statementMilliseconds
            deadline = .allocate(capacity: 1)
            deadline.initialize(to: .max)
            sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, Int32(Limits.mapTileBytes))
            sqlite3_limit(handle, SQLITE_LIMIT_ATTACHED, 0)
            sqlite3_limit(handle, SQLITE_LIMIT_VDBE_OP, Limits.mapStatementInstructions)
            let hasPassed: @convention(c) (UnsafeMutableRawPointer?) -> Int32 = { deadline in
                guard let deadline else { return 1 }
                return DispatchTime.now().uptimeNanoseconds > deadline.load(as: UInt64.self) ? 1 : 0
            }
            sqlite3_progress_handler(handle, Limits.mapInstructionsBetweenChecks, hasPassed, deadline)
            let pragmas = "PRAGMA trusted_schema = OFF; PRAGMA query_only = ON; PRAGMA temp_store = MEMORY;"
            let result = sqlite3_exec(handle, pragmas, nil, nil, nil)
            guard result == SQLITE_OK else { throw failure(result) }
        }

        deinit {
            sqlite3_close_v2(handle)
            deadline.deallocate()
        }

        /// - Throws: ``MapFileError`` if SQLite would store rows, on the disk or in memory, or has a loop that may have
        ///   no end.
        func requireNoStoredRows(_ sql: String) throws(MapFileError) { _ = try plan(sql) }

        /// - Throws: ``MapFileError`` if SQLite wouldn't find a tile with an index: each request for a tile would read
        ///   the whole file.
        func requireIndex(_ sql: String) throws(MapFileError) {
            let steps = try plan(sql)
            let findsTile = steps.contains { $0.hasPrefix("SEARCH") && $0.ranges(of: "=?").count >= 3 }
            guard findsTile, !steps.contains(where: { $0.hasPrefix("SCAN") }) else {
                throw MapFileError(
                    "has no index for its tiles. Add one to the table, or to the tables of its view: "
                        + "CREATE UNIQUE INDEX tile_index ON tiles (zoom_level, tile_column, tile_row)")
            }
        }

        /// Returns the steps with which SQLite executes a statement.
        private func plan(_ sql: String) throws(MapFileError) -> [String] {
            var steps: [String] = []
            try forEachRow("EXPLAIN QUERY PLAN " + sql, []) { statement in
                if let step = sqlite3_column_text(statement, 3) { steps.append(String(cString: step)) }
            }
            let refused = ["RECURSIVE", "TEMP B-TREE", "MATERIALIZE", "AUTOMATIC", "LIST SUBQUERY"]
            guard !steps.contains(where: { step in refused.contains { step.contains($0) } }) else {
                throw MapFileError("has views that sort, repeat or store rows")
            }
            return steps
        }

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
            deadline.pointee = DispatchTime.now().uptimeNanoseconds + statementMilliseconds * 1_000_000
            var statement: OpaquePointer?
            let prepared = sqlite3_prepare_v2(handle, sql, -1, &statement, nil)
            guard prepared == SQLITE_OK, let statement else { throw failure(prepared) }
            defer { sqlite3_finalize(statement) }
            for (index, value) in values.enumerated() { sqlite3_bind_int64(statement, Int32(index) + 1, Int64(value)) }
            while true {
                switch sqlite3_step(statement) {
                case SQLITE_ROW: body(statement)
                case SQLITE_DONE: return
                case let status: throw failure(status)
                }
            }
        }

        private func failure(_ status: Int32) -> MapFileError {
            switch status {
            case SQLITE_TOOBIG: return MapFileError("has a tile or a text of over 1 MiB")
            case SQLITE_INTERRUPT:
                return MapFileError(
                    "takes too long to search: an index, or the zoom levels in its metadata, are missing")
            default: return MapFileError("isn't a usable MBTiles file: \(String(cString: sqlite3_errmsg(handle)))")
            }
        }
    }
}
