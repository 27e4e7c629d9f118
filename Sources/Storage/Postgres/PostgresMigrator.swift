import Kernel
import Logging

/// Migrates a PostgreSQL database: applies all pending migrations or none.
struct PostgresMigrator {
    // An arbitrary number that is the same in all versions: processes that start at the same time wait for this lock.
    private static let lock = 0x484d_5744

    let migrations: [Migration]
    let logger: Logger

    func migrate(_ connection: PostgresConnection, now: Instant) throws {
        // Allow long statements only if a migration is pending: otherwise a silent server must be detected soon.
        if try isPending(connection) { try connection.setDeadlines(.migrating) }
        try connection.run("BEGIN; SET LOCAL lock_timeout = 0; SELECT pg_advisory_xact_lock(\(Self.lock))")
        let transaction = Transaction(connection)
        do {
            try transaction.execute(MigrationPlan.table)
            let applied = try MigrationPlan.applied(in: transaction)
            let plan = try MigrationPlan(migrations, applied: applied, dialect: .postgres)
            try plan.apply(in: transaction, now: now)
            try liftOutboxBase(in: transaction)
            try connection.run("COMMIT")
            guard !plan.pending.isEmpty else { return }
            let titles = plan.pending.map(\.title).joined(separator: ", ")
            logger.notice("Schema migrated", metadata: ["migrations": "\(titles)"])
        } catch {
            _ = try? connection.run("ROLLBACK")
            throw error
        }
    }

    /// Whether the database was migrated before.
    func hasSchema(_ connection: PostgresConnection) throws -> Bool {
        let query: SQL = "SELECT 1 AS known WHERE to_regclass('schema_migration') IS NOT NULL"
        return try !connection.rows(query, limit: 1).isEmpty
    }

    private func isPending(_ connection: PostgresConnection) throws -> Bool {
        guard try hasSchema(connection) else { return true }
        try connection.run("BEGIN READ ONLY")
        defer { _ = try? connection.run("ROLLBACK") }
        let applied = try MigrationPlan.applied(in: Transaction(connection))
        return try !MigrationPlan(migrations, applied: applied, dialect: .postgres).pending.isEmpty
    }

    /// Raises the base of the outbox's sequences. They are made of transaction ids, which start again when a dump is
    /// restored on another server.
    private func liftOutboxBase(in transaction: Transaction) throws {
        let timeline = PostgresTimeline(known: 0)
        if try !timeline.isCurrent(in: transaction) { _ = try timeline.lift(in: transaction) }
    }
}
