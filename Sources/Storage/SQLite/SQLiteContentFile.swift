import Foundation
import GRDB
import Kernel
import Logging

/// A SQLite file that holds the content of a PostgreSQL database while it is backed up or restored.
struct SQLiteContentFile {
    private let file: SQLiteFile
    private let queue: DatabaseQueue

    /// Creates an empty file with the schema of `migrations`.
    static func create(_ path: String, migrations: [Migration], logger: Logger, now: Instant) throws -> Self {
        let file = SQLiteFile(path: path)
        file.remove()
        try file.create()
        let queue = try file.connect()
        try SQLiteMigrator(file: file, migrations: migrations, logger: logger, makesBackup: false)
            .migrate(queue, now: now)
        return Self(file: file, queue: queue)
    }

    /// Copies a backup to a new file, checks it and migrates it.
    static func load(
        _ backup: String, to path: String, migrations: [Migration], logger: Logger, now: Instant
    ) throws -> Self {
        let file = SQLiteFile(path: path)
        try translatingErrors(named: backup) {
            let migrator = SQLiteMigrator(file: file, migrations: migrations, logger: logger, makesBackup: false)
            try SQLiteBackup.load(backup, into: migrator, now: now)
        }
        return Self(file: file, queue: try file.connect())
    }

    /// Calls `body` with the connection, to read.
    func read<T>(_ body: (SQLiteSession) throws -> T) throws -> T {
        try queue.inDatabase { try body(SQLiteSession($0)) }
    }

    /// Fills the file in one transaction, without a journal: a file that isn't complete is deleted.
    func fill(_ body: (Transaction) throws -> Void) throws {
        try Self.translatingErrors(named: file.path) {
            try queue.inDatabase { database in
                let session = try SQLiteSession(database)
                let transaction = Transaction(session)
                for pragma: SQL in [
                    "PRAGMA journal_mode = OFF", "PRAGMA synchronous = OFF", "PRAGMA foreign_keys = OFF",
                ] {
                    try session.execute(pragma)
                }
                try session.execute("BEGIN IMMEDIATE")
                do {
                    try body(transaction)
                    try transaction.checkFailure()
                } catch {
                    try? session.execute("ROLLBACK")
                    throw error
                }
                try session.execute("COMMIT")
                if let row = try transaction.row("PRAGMA foreign_key_check") {
                    let table: String = try row.get("table")
                    throw StorageError.foreignKeyViolation(table)
                }
            }
        }
    }

    /// Closes the file and makes it durable under its final name.
    func finish(as path: String) throws {
        try queue.close()
        try file.flush()
        guard rename(file.path, path) == 0 else {
            throw StorageError.backup("the backup couldn't be written to \(path): \(String(cString: strerror(errno)))")
        }
        try file.flushFolder()
    }

    /// Closes and deletes the file.
    func discard() {
        try? queue.close()
        file.remove()
    }

    private static func translatingErrors<T>(named path: String, _ body: () throws -> T) throws -> T {
        do {
            return try body()
        } catch let error as DatabaseError {
            throw StorageError.backup("\(path) can't be used: \(error.message ?? "")")
        } catch let error as SQLiteUnavailable {
            throw StorageError.backup("\(path) can't be used: \(error)")
        }
    }
}
