import ArgumentParser
import Backups
import Foundation
import Kernel

/// Where the key of a backup comes from.
struct BackupKeyOptions: ParsableArguments {
    static let variable = "HOMEWARD_BACKUP_KEY"

    @Option(help: "A file with the recovery key, or a backup.key. HOMEWARD_BACKUP_KEY can hold the recovery key.")
    var keyFile: String?

    /// Returns the given key, the data folder's, or the one that a person types.
    func key(dataFolder: String) throws -> BackupKey {
        if let keyFile {
            guard let key = try BackupKey.read(keyFile) else { throw CommandError("\(keyFile) doesn't exist") }
            return key
        }
        if let text = ProcessInfo.processInfo.environment[Self.variable], !text.isEmpty {
            return try BackupKey(recoveryKey: text)
        }
        if let key = try BackupKey.read("\(dataFolder)/\(BackupKey.fileName)") { return key }
        guard isatty(STDIN_FILENO) == 1 else {
            throw CommandError(
                """
                The backup is encrypted, and there is no key here. Give the recovery key that `homeward keys recovery` \
                printed on the server that made the backup: as HOMEWARD_BACKUP_KEY, or in a file with --key-file.
                """)
        }
        FileHandle.standardError.write(Data("Recovery key: ".utf8))
        return try BackupKey(recoveryKey: readLine() ?? "")
    }
}
