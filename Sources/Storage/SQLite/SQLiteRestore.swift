import Foundation
import GRDB
import Kernel
import Logging

/// Replaces the content of a database with a backup's.
struct SQLiteRestore {
    // More events than running servers publish while the backup is copied. There are 2^63 sequences.
    private static let sequencesSkipped: Int64 = 1_000_000

    let live: SQLiteFile
    let migrations: [Migration]
    let logger: Logger

    func restore(
        from path: String, now: Instant, prepare: @Sendable (Transaction) throws -> Void
    ) throws -> String {
        let draft = SQLiteFile(path: "\(live.path).restore-\(getpid())")
        defer { draft.remove() }
        do {
            let migrator = SQLiteMigrator(file: draft, migrations: migrations, logger: logger, makesBackup: false)
            try SQLiteBackup.load(path, into: migrator, now: now)
            try prepareContent(draft, prepare: prepare)
            let safetyCopy = SQLiteCopyRetention.freeName(for: live)
            try SQLiteBackup(source: live).write(to: safetyCopy, replacing: false)
            try overwrite(with: draft)
            SQLiteCopyRetention.prune(of: live, SQLiteCopyRetention.beforeRestore, logger: logger)
            return safetyCopy
        } catch let error as DatabaseError {
            throw StorageError.backup("\(path) couldn't be restored: \(error.message ?? "")")
        } catch let error as SQLiteUnavailable {
            throw StorageError.backup("\(path) couldn't be restored: \(error)")
        }
    }

    private func prepareContent(_ draft: SQLiteFile, prepare: @Sendable (Transaction) throws -> Void) throws {
        let queue = try draft.connect()
        defer { try? queue.close() }
        let last = try lastSequence()
        try queue.inDatabase { database in
            let session = try SQLiteSession(database)
            let transaction = Transaction(session)
            try session.execute("BEGIN IMMEDIATE")
            do {
                // Sequences keep increasing, so that readers of the outbox notice the restore.
                try transaction.execute("DELETE FROM outbox")
                try transaction.execute("DELETE FROM sqlite_sequence WHERE name = 'outbox'")
                let start = last + Self.sequencesSkipped
                try transaction.execute("INSERT INTO sqlite_sequence (name, seq) VALUES ('outbox', \(start))")
                try prepare(transaction)
                try transaction.checkFailure()
            } catch {
                // A connection in an open transaction can't be closed.
                try? session.execute("ROLLBACK")
                throw error
            }
            try session.execute("COMMIT")
        }
    }

    private func lastSequence() throws -> Int64 {
        let queue = try live.connect(isReadOnly: true)
        defer { try? queue.close() }
        return try queue.inDatabase { try Outbox.lastSequence(in: Transaction(SQLiteSession($0))) }
    }

    /// Copies the draft over the database in one SQLite transaction: readers see the old content or the new one.
    private func overwrite(with draft: SQLiteFile) throws {
        let from = try draft.connect(isReadOnly: true)
        defer { try? from.close() }
        let to = try live.connect()
        defer { try? to.close() }
        try from.backup(to: to)
    }
}

extension SQLiteDriver {
    func restore(
        from path: String, folder: String, prepare: @escaping @Sendable (Transaction) throws -> Void
    ) async throws -> String? {
        let restore = SQLiteRestore(live: file, migrations: migrations, logger: logger)
        let now = clock.now
        return try await onThread("homeward-restore") { try restore.restore(from: path, now: now, prepare: prepare) }
    }
}
