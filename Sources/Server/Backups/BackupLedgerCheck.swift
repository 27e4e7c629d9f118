import Backups
import Kernel
import Ledger
import Logging
import Storage

/// Verifies the ledger in a backup.
struct BackupLedgerCheck: Sendable {
    let clock: any WallClock
    let logger: Logger

    /// Migrates the backup's copy of the database and replays its ledger.
    /// - Returns: the first thing that is wrong with the ledger.
    /// - Throws: ``StorageError/schemaNewer(_:)`` for a backup of a newer version; ``BackupError`` without a key.
    func problem(of backup: OpenedBackup) async throws -> String? {
        guard let key = backup.keys[KeyFile.ledger.name] else {
            throw BackupError.contradiction("\(KeyFile.ledger.name) is missing in it")
        }
        let head = backup.file("ledger.head")
        if let bytes = backup.ledgerHead { try DurableFile(head).create(bytes, draft: "\(head).new") }
        let database = try await Database.open(
            .sqlite(path: backup.databasePath), migrations: Services.migrations, logger: logger, clock: clock)
        do {
            let verifier = LedgerVerifier(database: database, key: try LedgerKey(bytes: key), anchorFile: head)
            let result = try await verifier.verify()
            await database.close()
            return result.findings.first.map { "the ledger isn't sound (\($0.table) \($0.row): \($0.reason))" }
        } catch {
            await database.close()
            throw error
        }
    }
}
