import Kernel

/// The header of a PMTiles file, version 3: 127 bytes, numbers in little-endian order.
struct PMTilesHeader: Sendable, Equatable {
    /// A part of the file.
    struct Section: Sendable, Equatable {
        let offset: UInt64
        let length: UInt64

        /// Returns the place of a part of this section in the file; `nil` if it isn't inside.
        func part(offset: UInt64, length: UInt64) -> Section? {
            let end = offset.addingReportingOverflow(length)
            guard !end.overflow, end.partialValue <= self.length else { return nil }
            // The section is inside the file, so that this can't overflow.
            return Section(offset: self.offset + offset, length: length)
        }
    }

    enum Compression: UInt8, Sendable {
        case unknown, none, gzip, brotli, zstd
    }

    static let bytes = 127
    private static let signature = Array("PMTiles".utf8)
    private static let version: UInt8 = 3

    let root: Section
    let metadata: Section
    let leaves: Section
    let tiles: Section
    let internalCompression: Compression
    let tileCompression: Compression
    let minimumZoom: Int
    let maximumZoom: Int
    let bounds: MapFileMetadata.Bounds?

    /// - Throws: ``MapFileError`` for another format or version, sections beyond the file, and tiles that aren't
    ///   pictures.
    init(_ bytes: [UInt8], fileBytes: UInt64) throws(MapFileError) {
        guard bytes.starts(with: Self.signature) else { throw MapFileError("isn't a PMTiles file") }
        guard bytes.count >= 8, bytes[7] == Self.version else {
            throw MapFileError("is a PMTiles file of another version: only version 3 is supported")
        }
        guard bytes.count >= Self.bytes else { throw .damaged("it is too short") }
        func number(_ offset: Int) -> UInt64 {
            bytes[offset..<offset + 8].reversed().reduce(0) { $0 << 8 | UInt64($1) }
        }
        func degrees(_ offset: Int) -> Double {
            let value = bytes[offset..<offset + 4].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            return Double(Int32(bitPattern: value)) / 10_000_000
        }
        func section(_ offset: Int, _ name: String) throws(MapFileError) -> Section {
            let whole = Section(offset: 0, length: fileBytes)
            guard let found = whole.part(offset: number(offset), length: number(offset + 8)) else {
                throw .damaged("\(name) goes beyond the end of the file")
            }
            return found
        }
        root = try section(8, "the root directory")
        metadata = try section(24, "the metadata")
        leaves = try section(40, "the leaf directories")
        tiles = try section(56, "the tile data")
        guard let inside = Compression(rawValue: bytes[97]), inside == .none || inside == .gzip else {
            throw MapFileError("has directories in another compression than gzip")
        }
        internalCompression = inside
        switch bytes[99] {
        case 2, 3, 4: break
        case 1: throw .unsupported("vector tiles")
        case 5: throw .unsupported("AVIF tiles")
        default: throw .unsupported("tiles of an unknown type")
        }
        guard let compression = Compression(rawValue: bytes[98]), [.unknown, .none, .gzip].contains(compression) else {
            throw MapFileError("has tiles in another compression than gzip")
        }
        tileCompression = compression
        minimumZoom = Int(bytes[100])
        maximumZoom = Int(bytes[101])
        bounds = MapFileMetadata.Bounds(
            west: degrees(102), south: degrees(106), east: degrees(110), north: degrees(114))
    }
}
