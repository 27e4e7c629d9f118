package import Kernel

extension Limits {
    /// Bytes of one tile of a map file.
    package static let mapTileBytes = 1024 * 1024
    /// Bytes that a cached tile uses in addition to its content.
    static let mapTileOverheadBytes = 256
    /// Bytes of tiles that a server keeps in memory.
    package static let mapTileCacheBytes = 32 * 1024 * 1024
    /// Tiles that wait at once to be read from the map file.
    package static let mapTilesWaiting = 512
    /// Bytes of a directory of a PMTiles file, packed or unpacked.
    package static let mapDirectoryBytes = 4 * 1024 * 1024
    /// Entries of a directory of a PMTiles file. Usual writers make at most 16,384.
    package static let mapDirectoryEntries = 200_000
    /// Entries of the directories of a PMTiles file that a server keeps in memory.
    package static let mapDirectoryCacheEntries = 400_000
    /// The memory that a cached directory uses in addition to its entries, as a number of entries.
    static let mapDirectoryOverheadEntries = 8
    /// Directories between the root of a PMTiles file and a tile.
    package static let mapDirectoryDepth = 4
    /// Bytes of a map file's metadata, packed or unpacked.
    package static let mapMetadataBytes = 1024 * 1024
    /// Characters of a map file's attribution.
    package static let mapAttributionCharacters = 300
    /// Characters of the link of a map file's attribution.
    package static let mapAttributionURLCharacters = 2_000
    /// Milliseconds that one statement on an MBTiles file may take.
    static let mapStatementMilliseconds: UInt64 = 2_000
    /// Instructions of one statement on an MBTiles file. Usual ones have fewer than 100.
    static let mapStatementInstructions: Int32 = 10_000
    /// Instructions between two looks at the clock.
    static let mapInstructionsBetweenChecks: Int32 = 1_000
    /// The highest zoom level of a map file.
    package static let mapZoomMaximum = 26
}
