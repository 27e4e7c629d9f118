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
        guard FileManager.default.isReadableFile(atPath: path) else {
            throw StorageError.backup("\(path) can't be read")
        }
        let draft = SQLiteFile(path: "\(live.path).restore-\(getpid())")
        draft.remove()
        defer { draft.remove() }
        try draft.create()
        do {
            try Self.copy(SQLiteFile(path: path), to: draft)
            try check(draft, named: path)
            try bringUpToDate(draft, now: now, prepare: prepare)
            let safetyCopy = freeName()
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

    private static func copy(_ source: SQLiteFile, to draft: SQLiteFile) throws {
        let from = try source.connect(isReadOnly: true)
        defer { try? from.close() }
        let to = try DatabaseQueue(path: draft.path)
        defer { try? to.close() }
        try from.backup(to: to)
    }

    private func check(_ draft: SQLiteFile, named path: String) throws {
        let queue = try draft.connect()
        defer { try? queue.close() }
        try queue.inDatabase { database in
            let transaction = Transaction(try SQLiteSession(database))
            let id: Int = try transaction.row("PRAGMA application_id")?.get("application_id") ?? 0
            guard id == SQLiteFile.applicationID else {
                throw StorageError.backup("\(path) is not a backup of Homeward")
            }
            let verdict: String? = try transaction.row("PRAGMA integrity_check(1)")?.get("integrity_check")
            guard verdict == "ok", try transaction.row("PRAGMA foreign_key_check") == nil else {
                throw StorageError.backup("\(path) is damaged")
            }
        }
    }

    private func bringUpToDate(
        _ draft: SQLiteFile, now: Instant, prepare: @Sendable (Transaction) throws -> Void
    ) throws {
        let queue = try draft.connect()
        defer { try? queue.close() }
        try SQLiteMigrator(file: draft, migrations: migrations, logger: logger, makesBackup: false).migrate(
            queue, now: now)
        let last = try lastSequence()
        try queue.inDatabase { database in
            let session = try SQLiteSession(database)
            let transaction = Transaction(session)
            try session.execute("BEGIN IMMEDIATE")
            do {
                // Sequences keep increasing, so that readers of the outbox notice the restore.
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

    private func freeName() -> String {
        let base = live.path + SQLiteCopyRetention.beforeRestore
        var name = base
        var number = 1
        while FileManager.default.fileExists(atPath: name) {
            number += 1
            name = "\(base)-\(number)"
        }
        return name
    }
}

extension SQLiteDriver {
    func restore(
        from path: String, prepare: @escaping @Sendable (Transaction) throws -> Void
    ) async throws -> String {
        let restore = SQLiteRestore(live: file, migrations: migrations, logger: logger)
        let now = clock.now
        return try await onThread("homeward-restore") { try restore.restore(from: path, now: now, prepare: prepare) }
    }
}
