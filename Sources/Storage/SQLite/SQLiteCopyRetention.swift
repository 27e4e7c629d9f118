import Foundation
import Kernel
import Logging

/// The copies of the database that migrations and restores leave in its folder.
enum SQLiteCopyRetention {
    /// Part of the name of a copy made before a migration.
    static let beforeMigration = ".backup-before-"
    /// Part of the name of a copy made before a restore.
    static let beforeRestore = ".backup-before-restore"

    /// Deletes the oldest copies from migrations or restores beyond ``Limits/storeCopies``. It considers only files
    /// with names that this program creates. A file that can't be deleted stays, and the error is logged.
    static func prune(of file: SQLiteFile, _ kind: String, logger: Logger) {
        let path = URL(fileURLWithPath: file.path)
        let prefix = path.lastPathComponent + kind
        let keys: [URLResourceKey] = [.contentModificationDateKey]
        do {
            let copies = try FileManager.default.contentsOfDirectory(
                at: path.deletingLastPathComponent(), includingPropertiesForKeys: keys
            ).filter { isCopy($0.lastPathComponent, prefix: prefix, kind: kind) }
            let dated = try copies.map { copy in
                (copy, try copy.resourceValues(forKeys: Set(keys)).contentModificationDate ?? .distantPast)
            }
            // Copies of the same second differ by a number at the end of the name.
            let newestFirst = dated.sorted { left, right in
                if left.1 != right.1 { return left.1 > right.1 }
                let (name, other) = (left.0.lastPathComponent, right.0.lastPathComponent)
                return name.localizedStandardCompare(other) == .orderedDescending
            }
            for (copy, _) in newestFirst.dropFirst(Limits.storeCopies) { try FileManager.default.removeItem(at: copy) }
        } catch {
            logger.warning("Old copies of the store could not be removed", metadata: ["error": "\(error)"])
        }
    }

    /// Returns an unused name for a copy made before a restore.
    static func freeName(for file: SQLiteFile) -> String {
        let base = file.path + beforeRestore
        var name = base
        var number = 1
        while FileManager.default.fileExists(atPath: name) {
            number += 1
            name = "\(base)-\(number)"
        }
        return name
    }

    private static func isCopy(_ name: String, prefix: String, kind: String) -> Bool {
        guard name.hasPrefix(prefix), !name.hasSuffix("-wal"), !name.hasSuffix("-shm") else { return false }
        // The infix for migrations is a prefix of the one for restores.
        return kind == beforeRestore || !name.contains(beforeRestore)
    }
}
