import Kernel

/// Keeps the outbox's sequences increasing when PostgreSQL's transaction ids go back: after a failover that lost
/// transactions, and after a dump was restored on a server with lower ids.
///
/// A promoted server starts a new timeline. Its events may have the sequences of lost events, below those that readers
/// have read. The first node that detects a new timeline raises the base while no writer is active, and stores the
/// sequence from which the order holds again: ``lifted``. Every node that finds a different stored sequence than before
/// ends its live streams. The clients reconnect and reload everything.
struct PostgresTimeline {
    /// The watermark of this process. All sequences that it has delivered are below it.
    let known: Int64

    private struct State {
        let isStored: Bool
        let isNew: Bool
        let isBehind: Bool
        let timeline: String
        let last: Int64
        let next: Int64
    }

    /// Returns whether the stored timeline is the server's, and the next sequence is above all known ones.
    func isCurrent(in transaction: Transaction) throws -> Bool {
        let state = try state(in: transaction)
        return state.isStored && !state.isBehind
    }

    /// Raises the base if needed. It locks out all writers of the outbox.
    /// - Returns: the lowest sequence from which the order holds.
    func lift(in transaction: Transaction) throws -> Int64 {
        try transaction.execute("LOCK TABLE outbox IN SHARE ROW EXCLUSIVE MODE")
        // Another node may have raised the base first.
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

    /// Returns the stored sequence from which the order holds; see ``lift(in:)``.
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
