import Foundation
import Kernel

/// Thrown when a backup can't be written, read or proved. The description is for the administrator.
package enum BackupError: Error, Hashable, Sendable {
    /// The file isn't an encrypted backup.
    case notABackup
    /// A newer version of the program wrote the backup in a format with this number.
    case newerFormat(Int)
    /// The backup was made with another key than the given one.
    case wrongKey(backup: String, given: String)
    /// The text isn't a recovery key.
    case malformedKey
    /// The end of the backup is missing.
    case cutOff
    /// The backup was changed at about this byte, or its end is missing.
    case cutOffOrDamaged(byte: Int64)
    /// The backup was changed, at about this byte.
    case damaged(byte: Int64)
    /// The backup can be decrypted, but its parts contradict each other.
    case contradiction(String)
    /// The destination exists.
    case exists(String)
    /// Another process writes to the destination.
    case busy(String)
    /// There are too few free bytes in a folder.
    case noSpace(folder: String, needed: Int64, free: Int64)
    /// The operating system's error: what was done, and `errno`.
    case system(step: String, code: Int32)

    init(_ failure: DurableFile.Failure, _ path: String) {
        self = .system(step: "\(failure.step) \(path)", code: failure.code)
    }
}

extension BackupError: CustomStringConvertible {
    /// A message for the administrator.
    package var description: String {
        switch self {
        case .notABackup: "the file is not a backup of Homeward"
        case .newerFormat(let number):
            "the backup was made by a newer version of Homeward (format \(number)). Install that version"
        case .wrongKey(let backup, let given):
            "the backup was made with the key \(backup), and this is the key \(given). Give the recovery key of the "
                + "server that made the backup"
        case .malformedKey: "the recovery key has a typing error. Compare it with the original"
        case .cutOff: "the backup is cut off: its end is missing. Use another backup"
        case .cutOffOrDamaged(let byte):
            "the backup is cut off, or damaged near its end (after byte \(byte)). Use another backup"
        case .damaged(let byte): "the backup is damaged near byte \(byte). Use another backup"
        case .contradiction(let what): "the backup is damaged: \(what). Use another backup"
        case .exists(let path): "\(path) is there already"
        case .busy(let path): "another backup is being written to \(path)"
        case .noSpace(let folder, let needed, let free):
            "\(folder) has \(free / 1_048_576) MiB free, and \(needed / 1_048_576 + 1) MiB are needed. Nothing was "
                + "changed"
        case .system(let step, ENOSPC), .system(let step, EDQUOT): "the disk is full (\(step))"
        case .system(let step, let code): "the operating system refused: \(step): \(String(cString: strerror(code)))"
        }
    }
}
