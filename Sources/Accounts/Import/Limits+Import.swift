import Kernel

extension Limits {
    /// Bytes of an archive that is imported.
    package static let importBytes = importMegabytes * 1024 * 1024
    /// The same limit in the unit of the texts that people read.
    package static let importMegabytes = 512
    /// Bytes of a multipart body around an archive.
    package static let importBodyBytes = importBytes + 64 * 1024
    /// Bytes of one object that holds a part of an uploaded archive.
    static let importPartBytes = 8 * 1024 * 1024
    /// Files in an archive.
    static let importEntries = 10_000
    /// Bytes of an archive's directory.
    static let importDirectoryBytes = 4 * 1024 * 1024
    /// Bytes of one file of an archive, expanded.
    static let importEntryBytes = 2 * 1024 * 1024 * 1024
    /// Bytes of all files of an archive, expanded.
    static let importExpandedBytes = 4 * 1024 * 1024 * 1024
    /// The most bytes that one compressed byte of an archive may expand to. A history compresses to about a tenth.
    static let importRatio = 200
    /// Bytes of a file that are exempt from ``importRatio``.
    static let importRatioFreeBytes = 1024 * 1024
    /// The most bytes that one byte of a whole archive may expand to.
    static let importArchiveRatio = 100
    /// Bytes of all files of an archive that are exempt from ``importArchiveRatio``.
    static let importArchiveRatioFreeBytes = 8 * 1024 * 1024
    /// Bytes of one JSON file of an archive.
    package static let importJSONBytes = 8 * 1024 * 1024
    /// Opening brackets that a list of the first format may begin with: one for each child of its household, those that
    /// were deleted included.
    static let importListBrackets = 1_000
    /// Bytes of the account and of the manifest of an archive.
    static let importAccountBytes = 64 * 1024
    /// Seconds between two events of an import's progress.
    static let importProgressSeconds: Int64 = 1
    /// Bytes of one line of a text file of an archive.
    static let importLineBytes = 64 * 1024
    /// Bytes of a file's name in an archive.
    static let importNameBytes = 1_000
    /// Bytes that are read from an archive, or expanded, at once.
    static let importPieceBytes = 64 * 1024
    /// Seconds for which a checked archive waits for the person's decision.
    package static let importWaitSeconds: Int64 = 24 * 60 * 60
    /// Seconds in which an import that was started must end.
    package static let importRunSeconds: Int64 = 7 * 24 * 60 * 60
    /// Seconds for which the result of an import is shown.
    package static let importResultSeconds: Int64 = 30 * 24 * 60 * 60
    /// Seconds in which an archive must arrive.
    package static let importUploadSeconds: Int64 = 60 * 60
    /// Seconds after ``importUploadSeconds`` in which an archive must be checked. Then its parts are removed.
    package static let importCheckSeconds: Int64 = 10 * 60
    /// Seconds for which the parts outlive their import.
    static let importSlackSeconds: Int64 = 60 * 60
    /// Seconds that a check may take, so that those who wait for theirs have the rest of ``importCheckSeconds``.
    static let importCheckRunSeconds: Int64 = 5 * 60
    /// Archives that a person can upload in an hour.
    package static let importUploadsPerHour = 10
    /// Archives that a process receives at once.
    static let importUploads = 16
    /// Archives that a process receives from one network at once, so that others keep most of ``importUploads``.
    static let importUploadsPerNetwork = 4
    /// Archives that a process checks at once; the others wait.
    static let importChecks = 1
    /// The lowest average rate of an upload, in bytes per second: an hour for 56 MB.
    static let importBytesPerSecond: Int64 = 16 * 1024
    /// Seconds that an upload may take in addition to ``importBytesPerSecond``.
    static let importGraceSeconds: Int64 = 60
    /// Seconds after which a person can try again when too many archives are received.
    static let importRetrySeconds = 10
    /// Records that a transaction of an import may add at once.
    package static let importBatch = 500
    /// Imports that may wait on a server.
    static let importQueue = 1_000
    /// Seconds of a node's lease of an import. When the node ends, another one takes over.
    static let importLeaseSeconds: Int64 = 10
    /// Records that the preview lists by name; the others are counted.
    package static let importEntriesShown = 200
}
