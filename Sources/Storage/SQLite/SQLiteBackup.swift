import Foundation
import GRDB
import Kernel

/// Copies a SQLite file while it is in use.
struct SQLiteBackup {
    let source: SQLiteFile

    /// Writes a complete copy or none: the copy gets its final name after it is flushed to disk.
    func write(to path: String, replacing: Bool) throws {
        guard replacing || !FileManager.default.fileExists(atPath: path) else {
            throw StorageError.backup("\(path) is there already")
        }
        let draft = SQLiteFile(path: "\(path).\(getpid()).part")
        defer { draft.remove() }
        do {
            draft.remove()
            try draft.create()
            try copy(to: draft)
            try draft.flush()
        } catch let error as DatabaseError {
            throw StorageError.backup("the backup couldn't be written to \(path): \(error.message ?? "")")
        }
        guard rename(draft.path, path) == 0 else {
            throw StorageError.backup("the backup couldn't be written to \(path): \(String(cString: strerror(errno)))")
        }
        try draft.flushFolder()
    }

    private func copy(to draft: SQLiteFile) throws {
        let from = try source.connect(isReadOnly: true)
        defer { try? from.close() }
        let to = try DatabaseQueue(path: draft.path)
        defer { try? to.close() }
        try from.backup(to: to)
        // A single file that can also be read from read-only media.
        try to.inDatabase { try $0.execute(sql: "PRAGMA journal_mode = DELETE") }
    }
}

extension SQLiteBackup {
    /// Copies the backup at `path` to the migrator's file, checks it and migrates it.
    /// - Throws: ``StorageError/backup(_:)`` if the backup is damaged or isn't Homeward's;
    ///   ``StorageError/schemaNewer(_:)``.
    static func load(_ path: String, into migrator: SQLiteMigrator, now: Instant) throws {
        guard FileManager.default.isReadableFile(atPath: path) else {
            throw StorageError.backup("\(path) can't be read")
        }
        let draft = migrator.file
        draft.remove()
        try draft.create()
        do {
            let from = try SQLiteFile(path: path).connect(isReadOnly: true)
            defer { try? from.close() }
            let to = try DatabaseQueue(path: draft.path)
            defer { try? to.close() }
            try from.backup(to: to)
        }
        let queue = try draft.connect()
        defer { try? queue.close() }
        try queue.inDatabase { try check(Transaction(SQLiteSession($0)), named: path) }
        try migrator.migrate(queue, now: now)
    }

    /// Checks that a file is Homeward's and undamaged.
    /// - Throws: ``StorageError/backup(_:)``.
    static func check(_ transaction: Transaction, named path: String) throws {
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

extension SQLiteFile {
    /// Deletes the file and SQLite's files that belong to it.
    func remove() {
        for suffix in ["", "-wal", "-shm", "-journal"] { unlink(path + suffix) }
    }

    func flush() throws { try Self.flush(path) }

    func flushFolder() throws {
        let folder = (path as NSString).deletingLastPathComponent
        try Self.flush(folder.isEmpty ? "." : folder)
    }

    private static func flush(_ path: String) throws {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw StorageError.backup("\(path): \(String(cString: strerror(errno)))") }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw StorageError.backup("\(path): \(String(cString: strerror(errno)))") }
    }
}

extension SQLiteDriver {
    func backup(to path: String) async throws {
        try await onThread("homeward-backup") { [file] in
            try SQLiteBackup(source: file).write(to: path, replacing: false)
        }
    }
}
