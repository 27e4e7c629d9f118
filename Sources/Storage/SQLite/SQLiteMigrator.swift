import Foundation
import GRDB
import Kernel
import Logging

/// Brings a SQLite file up to date.
struct SQLiteMigrator {
    let file: SQLiteFile
    let migrations: [Migration]
    let logger: Logger
    /// Whether content is backed up beside the file before it is migrated.
    var makesBackup = true

    func migrate(_ queue: DatabaseQueue, now: Instant) throws {
        do {
            try queue.inDatabase { database in
                let session = try SQLiteSession(database)
                do {
                    try migrate(session, followsReferences: true, now: now)
                } catch is NeedsRebuild {
                    // Dropping a table would otherwise delete what refers to it. Only possible outside a transaction.
                    _ = try session.execute("PRAGMA foreign_keys = OFF")
                    defer { _ = try? session.execute("PRAGMA foreign_keys = ON") }
                    try migrate(session, followsReferences: false, now: now)
                }
            }
        } catch let error as SQLiteUnavailable {
            throw StorageError.cannotOpen("\(file.path): \(error)")
        }
    }

    private struct NeedsRebuild: Error {}

    private func migrate(_ session: SQLiteSession, followsReferences: Bool, now: Instant) throws {
        // Held from the first look on: whoever starts at the same time waits, then finds nothing to do.
        _ = try session.execute("BEGIN IMMEDIATE")
        do {
            try migrateInTransaction(session, followsReferences: followsReferences, now: now)
            _ = try session.execute("COMMIT")
        } catch {
            if session.isInTransaction { _ = try? session.execute("ROLLBACK") }
            throw error
        }
    }

    private func migrateInTransaction(_ session: SQLiteSession, followsReferences: Bool, now: Instant) throws {
        let transaction = Transaction(session)
        let tables: Int = try transaction.row("SELECT COUNT(*) AS n FROM sqlite_schema")?.get("n") ?? 0
        let id: Int = try transaction.row("PRAGMA application_id")?.get("application_id") ?? 0
        guard tables == 0 || id == SQLiteFile.applicationID else {
            throw StorageError.cannotOpen("\(file.path) is a SQLite file, but not of Homeward")
        }
        if tables == 0 {
            try transaction.execute(SQL(trusted: "PRAGMA application_id = \(SQLiteFile.applicationID)"))
            try transaction.execute(MigrationPlan.table)
        }
        let applied = try MigrationPlan.applied(in: transaction)
        let plan = try MigrationPlan(migrations, applied: applied, dialect: .sqlite)
        guard !plan.pending.isEmpty else { return }
        let rebuilds = plan.pending.contains(where: \.rebuilds)
        if rebuilds, followsReferences { throw NeedsRebuild() }
        if makesBackup, !applied.isEmpty {
            let copy = file.path + SQLiteCopies.beforeMigration + Self.label(plan.pending)
            try SQLiteBackup(source: file).write(to: copy, replacing: true)
            SQLiteCopies.prune(of: file, SQLiteCopies.beforeMigration, logger: logger)
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

    /// Names for a file: the first few migrations, then how many more.
    private static func label(_ pending: [Migration]) -> String {
        let shown = 3
        let names = pending.prefix(shown).map { "\($0.module)-\($0.name)" }.joined(separator: "+")
        let label = pending.count > shown ? "\(names)+\(pending.count - shown)" : names
        return String(label.map { $0 == "/" ? "-" : $0 }.prefix(150))
    }
}
