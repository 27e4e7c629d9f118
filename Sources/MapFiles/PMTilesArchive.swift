import Foundation
import Kernel

/// A PMTiles file, version 3: one file with directories and tiles. Only the parts that a tile needs are read.
struct PMTilesArchive: TileArchive {
    let metadata: MapFileMetadata
    private let file: RandomAccessFile
    private let header: PMTilesHeader
    private let root: PMTilesDirectory
    private(set) var leaves = LeastRecentCache<UInt64, PMTilesDirectory>(limit: Limits.mapDirectoryCacheEntries)

    /// - Throws: ``MapFileError``.
    init(_ file: RandomAccessFile) throws(MapFileError) {
        let start = try file.read(offset: 0, length: min(UInt64(PMTilesHeader.bytes), file.bytes))
        let header = try PMTilesHeader(start, fileBytes: file.bytes)
        self.file = file
        self.header = header
        root = try PMTilesDirectory(
            Self.unpacked(header.root, of: file, header, limit: Limits.mapDirectoryBytes, "the root directory"))
        var attribution: String?
        if header.metadata.length > 0 {
            let text = try Self.unpacked(
                header.metadata, of: file, header, limit: Limits.mapMetadataBytes, "the metadata")
            guard let json = try? JSONSerialization.jsonObject(with: Data(text)) as? [String: Any] else {
                throw .damaged("its metadata isn't a JSON object")
            }
            attribution = json["attribution"] as? String
        }
        metadata = try MapFileMetadata(
            minimumZoom: header.minimumZoom, maximumZoom: header.maximumZoom, bounds: header.bounds,
            attribution: attribution)
    }

    mutating func tile(_ tile: TileCoordinate) throws(MapFileError) -> [UInt8]? {
        let id = TileID.of(tile)
        var entry = root.entry(for: id)
        for _ in 0..<Limits.mapDirectoryDepth {
            guard let found = entry else { return nil }
            guard found.runLength == 0 else { return try content(found) }
            entry = try leaf(found).entry(for: id)
        }
        throw .damaged("its directories are too deep")
    }

    mutating func anyTile() throws(MapFileError) -> [UInt8]? {
        var entry = root.entries.first
        for _ in 0..<Limits.mapDirectoryDepth {
            guard let found = entry else { return nil }
            guard found.runLength == 0 else { return try content(found) }
            entry = try leaf(found).entries.first
        }
        throw .damaged("its directories are too deep")
    }

    private func content(_ entry: PMTilesDirectory.Entry) throws(MapFileError) -> [UInt8] {
        guard let section = header.tiles.part(offset: entry.offset, length: entry.length) else {
            throw .damaged("a tile is beyond the tile data")
        }
        guard entry.length <= UInt64(Limits.mapTileBytes) else { throw MapFileError("has tiles of over 1 MiB") }
        let bytes = try file.read(offset: section.offset, length: section.length)
        guard header.tileCompression == .gzip else { return bytes }
        return try Gunzip.unpack(bytes, limit: Limits.mapTileBytes, part: "a tile")
    }

    private mutating func leaf(_ entry: PMTilesDirectory.Entry) throws(MapFileError) -> PMTilesDirectory {
        if let known = leaves.value(for: entry.offset) { return known }
        guard let section = header.leaves.part(offset: entry.offset, length: entry.length) else {
            throw .damaged("a leaf directory is beyond its section")
        }
        let leaf = try PMTilesDirectory(
            Self.unpacked(section, of: file, header, limit: Limits.mapDirectoryBytes, "a leaf directory"))
        guard !leaf.entries.isEmpty else { throw .damaged("a leaf directory is empty") }
        leaves.insert(
            leaf, for: entry.offset, weight: leaf.entries.count + Limits.mapDirectoryOverheadEntries)
        return leaf
    }

    private static func unpacked(
        _ section: PMTilesHeader.Section, of file: RandomAccessFile, _ header: PMTilesHeader, limit: Int,
        _ part: String
    ) throws(MapFileError) -> [UInt8] {
        guard section.length <= UInt64(limit) else { throw .damaged("\(part) has \(section.length) bytes") }
        let bytes = try file.read(offset: section.offset, length: section.length)
        guard header.internalCompression == .gzip else { return bytes }
        return try Gunzip.unpack(bytes, limit: limit, part: part)
    }
}
