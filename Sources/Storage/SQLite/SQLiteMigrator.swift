import Foundation
import GRDB
import Kernel
import Logging

/// Migrates a SQLite file.
struct SQLiteMigrator {
    let file: SQLiteFile
    let migrations: [Migration]
    let logger: Logger
    /// Whether a file with content is backed up before it is migrated.
    var makesBackup = true

    func migrate(_ queue: DatabaseQueue, now: Instant) throws {
        do {
            try queue.inDatabase { database in
                let session = try SQLiteSession(database)
                do {
                    try migrate(session, followsReferences: true, now: now)
                } catch is RebuildRequired {
                    // Otherwise dropping a table would delete the rows that refer to it. The setting can only change
                    // outside a transaction.
                    try session.execute("PRAGMA foreign_keys = OFF")
                    defer { try? session.execute("PRAGMA foreign_keys = ON") }
                    try migrate(session, followsReferences: false, now: now)
                }
            }
        } catch let error as SQLiteUnavailable {
            throw StorageError.cannotOpen("\(file.path): \(error)")
        }
    }

    private struct RebuildRequired: Error {}

    private func migrate(_ session: SQLiteSession, followsReferences: Bool, now: Instant) throws {
        // Locked before the first read: a process that starts at the same time waits, then finds nothing to do.
        try session.execute("BEGIN IMMEDIATE")
        do {
            try migrateInTransaction(session, followsReferences: followsReferences, now: now)
            try session.execute("COMMIT")
        } catch {
            if session.isInTransaction { try? session.execute("ROLLBACK") }
            throw error
        }
    }

    private func migrateInTransaction(_ session: SQLiteSession, followsReferences: Bool, now: Instant) throws {
        let transaction = Transaction(session)
        let tables: Int = try transaction.row("SELECT COUNT(*) AS n FROM sqlite_schema")?.get("n") ?? 0
        let id: Int = try transaction.row("PRAGMA application_id")?.get("application_id") ?? 0
        guard tables == 0 || id == SQLiteFile.applicationID else {
            throw StorageError.cannotOpen("\(file.path) is a SQLite file, but not Homeward’s")
        }
        if tables == 0 {
            try transaction.execute(SQL(trusted: "PRAGMA application_id = \(SQLiteFile.applicationID)"))
            try transaction.execute(MigrationPlan.table)
        }
        let applied = try MigrationPlan.applied(in: transaction)
        let plan = try MigrationPlan(migrations, applied: applied, dialect: .sqlite)
        guard !plan.pending.isEmpty else { return }
        let rebuilds = plan.pending.contains(where: \.rebuilds)
        if rebuilds, followsReferences { throw RebuildRequired() }
        if makesBackup, !applied.isEmpty {
            let copy = file.path + SQLiteCopyRetention.beforeMigration + Self.label(plan.pending)
            try SQLiteBackup(source: file).write(to: copy, replacing: true)
            SQLiteCopyRetention.prune(of: file, SQLiteCopyRetention.beforeMigration, logger: logger)
            logger.notice("Backup made before migrating", metadata: ["path": "\(copy)"])
        }
        try plan.apply(in: transaction, now: now)
        if rebuilds, let row = try transaction.row("PRAGMA foreign_key_check") {
            let table: String = try row.get("table")
            throw StorageError.foreignKeyViolation("\(table) refers to what is not there, after rebuilding")
        }
        logger.notice(
            "Schema migrated", metadata: ["migrations": "\(plan.pending.map(\.title).joined(separator: ", "))"]
        )
    }

    /// Returns the part of a copy's file name that names the first few migrations and the number of the others.
    private static func label(_ pending: [Migration]) -> String {
        let shown = 3
        let names = pending.prefix(shown).map { "\($0.module)-\($0.name)" }.joined(separator: "+")
        let label = pending.count > shown ? "\(names)+\(pending.count - shown)" : names
        return String(label.map { $0 == "/" ? "-" : $0 }.prefix(150))
    }
}
