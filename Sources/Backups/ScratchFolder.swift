import Foundation
package import Kernel

/// A temporary folder for a database that is backed up, checked or restored. Its lock shows that a process uses it.
package final class ScratchFolder: Sendable {
    private static let parent = "scratch"
    private static let lockName = "lock"

    package let path: String
    private let lock: Int32

    /// Creates a folder in a data folder, and removes those that ended processes left there.
    package init(in dataFolder: String, random: any RandomSource) throws {
        let parent = "\(dataFolder)/\(Self.parent)"
        try FileManager.default.createDirectory(
            atPath: parent, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        Self.removeLeftovers(in: dataFolder)
        path = "\(parent)/\(String(random.uint64(), radix: 16))"
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        lock = open("\(path)/\(Self.lockName)", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard lock >= 0, flock(lock, LOCK_EX | LOCK_NB) == 0 else {
            throw BackupError.system(step: "lock \(path)", code: errno)
        }
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
        close(lock)
    }

    /// The path of a file in the folder.
    package func file(_ name: String) -> String { "\(path)/\(name)" }

    /// Removes the folders of processes that ended without removing them.
    package static func removeLeftovers(in dataFolder: String) {
        let parent = "\(dataFolder)/\(Self.parent)"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
        for name in names {
            let folder = "\(parent)/\(name)"
            let lock = open("\(folder)/\(lockName)", O_RDWR | O_CLOEXEC)
            defer { if lock >= 0 { close(lock) } }
            // A folder without a lock is being created, or its process was killed at that moment.
            let isUsed = lock >= 0 ? flock(lock, LOCK_EX | LOCK_NB) != 0 : isYoung(folder)
            if !isUsed { try? FileManager.default.removeItem(atPath: folder) }
        }
    }

    private static func isYoung(_ folder: String) -> Bool {
        var status = stat()
        guard lstat(folder, &status) == 0 else { return true }
        return Int64(time(nil)) - Int64(status.st_mtim.tv_sec) < Limits.backupYoungFolderSeconds
    }
}
