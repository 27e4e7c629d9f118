import Foundation
import Kernel

/// The space of the file system of a folder.
package struct DiskSpace: Sendable, Equatable {
    /// The bytes that this process can still write.
    package let freeBytes: Int64
    package let sizeBytes: Int64

    /// - Throws: ``BackupError/system(step:code:)`` if the file system can't be read.
    package init(of folder: String) throws(BackupError) {
        var status = statvfs()
        guard statvfs(folder, &status) == 0 else { throw .system(step: "statvfs \(folder)", code: errno) }
        freeBytes = Int64(clamping: UInt64(status.f_bavail) * UInt64(status.f_frsize))
        sizeBytes = Int64(clamping: UInt64(status.f_blocks) * UInt64(status.f_frsize))
    }

    /// Rejects work that needs more bytes than the disk of `folder` has.
    /// - Throws: ``BackupError/noSpace(folder:needed:free:)``.
    package static func require(_ bytes: Int64, in folder: String) throws(BackupError) {
        let free = try DiskSpace(of: folder).freeBytes
        let needed = bytes + Limits.backupReserveBytes
        guard free >= needed else { throw .noSpace(folder: folder, needed: needed, free: free) }
    }
}
