import Kernel
import Logging

/// Brings a PostgreSQL database up to date, all of it or nothing.
struct PostgresMigrator {
    // Any number, the same in all versions: whoever starts at the same time waits on it.
    private static let lock = 0x484d_5744

    let migrations: [Migration]
    let logger: Logger

    func migrate(_ connection: PostgresConnection, now: Instant) throws {
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

    /// Sequences are made of transaction ids, which begin anew when a dump is restored elsewhere: then a base is added.
    private func liftOutboxBase(in transaction: Transaction) throws {
        let row = try transaction.row(
            """
            SELECT COALESCE((SELECT MAX(sequence) FROM outbox) >> 16, 0) AS last,
                pg_current_xact_id()::text::bigint + base AS present FROM outbox_base
            """
        )
        guard let row else { return }
        let last: Int64 = try row.get("last")
        let present: Int64 = try row.get("present")
        guard last >= present else { return }
        try transaction.execute("UPDATE outbox_base SET base = base + \(last - present + 1)")
    }
}
