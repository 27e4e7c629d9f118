/// The reason why an archive isn't read.
enum ZipError: Error, Equatable, Sendable {
    /// The end of a ZIP archive is missing.
    case notAnArchive
    /// A record, a checksum or a size is wrong.
    case damaged
    /// A file is encrypted.
    case encrypted
    /// A compression other than stored and deflate, or an archive in several files.
    case unsupported
    /// The archive exceeds ``Limits/importEntries``, ``Limits/importEntryBytes`` or another limit.
    case tooLarge
    /// A file expands to more than ``Limits/importRatio`` times its bytes, or files share bytes.
    case suspicious
    /// A path leaves the archive's folder, isn't UTF-8, or occurs twice.
    case badPath
}
