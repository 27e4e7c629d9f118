package import Kernel

extension Limits {
    /// Bytes of a backup that are encrypted together. Part of the format.
    package static let backupChunkBytes = 256 * 1024
    /// Bytes of a name in an archive.
    static let backupNameBytes = 300
    /// Bytes of an archive's small entries: settings, a key, the ledger's head.
    static let backupSmallEntryBytes = 1024 * 1024
    /// Bytes of an archive's manifest.
    static let backupManifestBytes = 16 * 1024 * 1024
    /// Bytes of an archive's list of objects: several million objects.
    static let backupListBytes = 1024 * 1024 * 1024
    /// Bytes of one part of a backup in a repository.
    static let backupPartBytes = 16 * 1024 * 1024
    /// Backups that a retention can keep of one kind.
    static let backupsKept = 1_000
    /// Seconds after which a backup that isn't complete counts as interrupted.
    package static let backupInterruptedSeconds: Int64 = 24 * 60 * 60
    /// Rows of the table of backups.
    package static let backupRuns = 100
    /// Seconds without progress after which a backup counts as ended.
    static let backupSilenceSeconds: Int64 = 60 * 60
    /// Seconds between two records of a backup's progress.
    static let backupTouchSeconds: Double = 30
    /// Seconds for which the state of the backups isn't read again for the metrics.
    static let backupStatusSeconds: Double = 60
    /// Seconds in which a temporary folder without a lock is being created.
    static let backupYoungFolderSeconds: Int64 = 60
    /// Bytes that stay free on a disk that a backup or a restore writes to.
    package static let backupReserveBytes: Int64 = 16 * 1024 * 1024
}
