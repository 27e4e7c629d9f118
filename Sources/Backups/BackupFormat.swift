import Foundation
import Kernel

/// Tells the kinds of backups apart.
package enum BackupFormat {
    private static let sqlite = Array("SQLite format 3\0".utf8)

    /// Whether a file is a copy of the SQLite file, as earlier versions wrote it, and not an encrypted backup.
    /// - Throws: ``BackupError/system(step:code:)`` if it can't be read.
    package static func isDatabase(_ path: String) throws -> Bool {
        try FileSource(path).read(upTo: sqlite.count) == sqlite
    }
}
