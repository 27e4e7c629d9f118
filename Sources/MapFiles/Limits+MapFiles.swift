package import Kernel

extension Limits {
    /// Bytes of one tile of a map file.
    package static let mapTileBytes = 1024 * 1024
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
    /// Directories between the root of a PMTiles file and a tile.
    package static let mapDirectoryDepth = 4
    /// Bytes of a map file's metadata, packed or unpacked.
    package static let mapMetadataBytes = 1024 * 1024
    /// Characters of a map file's attribution.
    package static let mapAttributionCharacters = 300
    /// The highest zoom level of a map file.
    package static let mapZoomMaximum = 26
}
