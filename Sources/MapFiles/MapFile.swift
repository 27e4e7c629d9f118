import Crypto
import Dispatch
import Kernel
import Synchronization

/// Reads the tiles of one format. Used by one thread at a time.
protocol TileArchive: Sendable {
    var metadata: MapFileMetadata { get }
    mutating func tile(_ tile: TileCoordinate) throws(MapFileError) -> [UInt8]?
    /// Returns one of the tiles, whichever is found first.
    mutating func anyTile() throws(MapFileError) -> [UInt8]?
}

/// A file with the tiles of a map: MBTiles, or PMTiles version 3. It is read on a thread of its own. A cache of limited
/// size keeps tiles that were read.
package final class MapFile: Sendable {
    /// A tile was requested while too many others waited.
    package struct Busy: Error {}

    package let path: String
    package let metadata: MapFileMetadata
    /// Changes with the file, and is the same for copies of it.
    package let version: String

    private let archive: Mutex<any TileArchive>
    let cache = Mutex(LeastRecentCache<TileCoordinate, MapTile>(limit: Limits.mapTileCacheBytes))
    private let waiting = Mutex(0)
    private let queue = DispatchQueue(label: "homeward.map-file")

    private static let versionBytes: UInt64 = 64 * 1024
    private static let sqliteSignature = Array("SQLite format 3\0".utf8)

    /// Opens a file, and reads what it says about itself and one tile. Blocks the thread for some milliseconds.
    /// - Throws: ``MapFileError``.
    package init(path: String) throws(MapFileError) {
        let file = try RandomAccessFile(path: path)
        let start = try file.read(offset: 0, length: min(Self.versionBytes, file.bytes))
        var archive: any TileArchive
        if start.starts(with: Self.sqliteSignature) {
            archive = try MBTilesArchive(path: path)
        } else if start.starts(with: Array("PMTiles".utf8)) {
            archive = try PMTilesArchive(file)
        } else {
            throw MapFileError("is neither an MBTiles file nor a PMTiles file")
        }
        guard let tile = try archive.anyTile() else { throw MapFileError("contains no tiles") }
        guard TileFormat(of: tile) != nil else {
            // Vector tiles are nearly always packed with gzip.
            throw .unsupported(tile.starts(with: [0x1f, 0x8b]) ? "vector tiles" : "tiles of another format")
        }
        self.path = path
        metadata = archive.metadata
        self.archive = Mutex(archive)
        var hash = SHA256()
        hash.update(data: Array("\(file.bytes) ".utf8))
        // The header of SQLite counts changes; the directories of PMTiles contain the length of each tile.
        hash.update(data: start)
        let tail = min(Self.versionBytes, file.bytes)
        hash.update(data: try file.read(offset: file.bytes - tail, length: tail))
        version = String(Hexadecimal.encoded(hash.finalize()).prefix(12))
    }

    /// Returns a tile; `nil` if the file has none there.
    /// - Throws: ``MapFileError`` if the file is damaged; ``Busy``.
    package func tile(_ tile: TileCoordinate) async throws -> MapTile? {
        guard metadata.minimumZoom...metadata.maximumZoom ~= tile.zoom else { return nil }
        if let known = cache.withLock({ $0.value(for: tile) }) { return known }
        let isAdmitted = waiting.withLock { waiting in
            guard waiting < Limits.mapTilesWaiting else { return false }
            waiting += 1
            return true
        }
        guard isAdmitted else { throw Busy() }
        return try await withCheckedThrowingContinuation { continuation in
            queue.async { [self] in
                let result = Result { try read(tile) }
                waiting.withLock { $0 -= 1 }
                continuation.resume(with: result)
            }
        }
    }

    private func read(_ tile: TileCoordinate) throws -> MapTile? {
        guard let bytes = try archive.withLock({ try $0.tile(tile) }) else { return nil }
        guard let format = TileFormat(of: bytes) else { throw MapFileError.unsupported("tiles of another format") }
        let read = MapTile(bytes: bytes, format: format)
        cache.withLock { $0.insert(read, for: tile, weight: bytes.capacity + Limits.mapTileOverheadBytes) }
        return read
    }
}
