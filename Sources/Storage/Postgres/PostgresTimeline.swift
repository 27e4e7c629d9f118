import Kernel

/// Keeps the outbox's numbers rising when PostgreSQL's transaction ids go back: after a failover that lost
/// transactions, and after a dump was restored on a younger server.
///
/// A server that was promoted writes a new timeline. Events that it commits may then have the numbers of events that
/// were lost, below what followers have read. The first node that meets a new timeline adds to the base, while no
/// writer is under way, and stores the number from which on the order holds again: ``lifted``. Every node that finds
/// another number there than before ends its live streams; clients come back and look at everything anew.
struct PostgresTimeline {
    /// The watermark of this process: what it has handed out is below.
    let known: Int64

    private struct State {
        let isStored: Bool
        let isNew: Bool
        let isBehind: Bool
        let timeline: String
        let last: Int64
        let next: Int64
    }

    /// Whether the stored timeline is the server's, and the next number is above all known ones.
    func isCurrent(in transaction: Transaction) throws -> Bool {
        let state = try state(in: transaction)
        return state.isStored && !state.isBehind
    }

    /// Adds to the base where that is needed; in a transaction that has locked out all writers of the outbox.
    /// - Returns: the lowest number from which on the order holds.
    func lift(in transaction: Transaction) throws -> Int64 {
        try transaction.execute("LOCK TABLE outbox IN SHARE ROW EXCLUSIVE MODE")
        // Another node may have been first.
        let state = try state(in: transaction)
        if state.isNew || state.isBehind {
            let lowest = max(state.last, state.next) + Limits.outboxLiftTransactions
            let lifted = lowest << 16
            try transaction.execute(
                "UPDATE outbox_base SET base = base + \(lowest - state.next), lifted = \(lifted)")
        }
        try transaction.execute("UPDATE outbox_base SET timeline = \(state.timeline)")
        return try Self.lifted(in: transaction)
    }

    /// See ``lift(in:)``.
    static func lifted(in transaction: Transaction) throws -> Int64 {
        try transaction.row("SELECT lifted FROM outbox_base")?.get("lifted") ?? 0
    }

    private func state(in transaction: Transaction) throws -> State {
        let row = try transaction.row(
            """
            SELECT timeline, COALESCE((SELECT MAX(sequence) FROM outbox) >> 16, 0) AS last,
                pg_snapshot_xmax(pg_current_snapshot())::text::bigint + base AS next,
                (SELECT system_identifier FROM pg_control_system())::text || '-'
                    || substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8) AS present
            FROM outbox_base
            """
        )
        guard let row else { throw StorageError.cannotOpen("outbox_base is empty") }
        let stored: String = try row.get("timeline")
        let present: String = try row.get("present")
        let last = max(try row.get("last", as: Int64.self), known >> 16 - 1)
        let next: Int64 = try row.get("next")
        return State(
            isStored: stored == present, isNew: !stored.isEmpty && stored != present, isBehind: last >= next,
            timeline: present, last: last,
            next: next)
    }
}
