import Kernel
import Synchronization

/// The watermark up to which readers may read the outbox without missing an event that isn't visible yet.
///
/// A transaction may commit after one that began later. Therefore a sequence is made of the transaction's id and the
/// event's index in it. Readers stay below the oldest transaction that may still publish: an event that they haven't
/// seen can only appear above it. docs/decisions/0030 explains why no event is skipped.
final class OutboxWatermark: Sendable {
    /// The watermark that one statement computes without the results of earlier checks. Transaction ids are shared by
    /// all databases of a server; the transactions of other databases don't count. If one of theirs ends during the
    /// statement, it counts as ours.
    static let present: SQL = """
        ((COALESCE(
            (SELECT MIN(running::text::bigint) FROM pg_snapshot_xip(pg_current_snapshot()) AS running
                WHERE NOT EXISTS (
                    SELECT 1 FROM pg_locks JOIN pg_stat_activity ON pg_stat_activity.pid = pg_locks.pid
                    WHERE locktype = 'transactionid' AND transactionid = running::xid AND mode = 'ExclusiveLock'
                        AND datname <> current_database())),
            pg_snapshot_xmax(pg_current_snapshot())::text::bigint
        ) + (SELECT base FROM outbox_base)) << 16)
        """

    /// The query of the listener's checks: the running transactions, and those of them without a writer's lock.
    static let check: SQL = """
        WITH snapshot AS MATERIALIZED (SELECT pg_current_snapshot() AS present),
            running AS MATERIALIZED (SELECT pg_snapshot_xip(present) AS id FROM snapshot),
            held AS MATERIALIZED (
                SELECT locktype, transactionid, virtualtransaction, mode, relation, database FROM pg_locks
                WHERE EXISTS (SELECT 1 FROM running)
                    AND (locktype = 'transactionid' OR (locktype = 'relation' AND relation = 'outbox'::regclass))
            )
        SELECT pg_snapshot_xmax(present)::text::bigint AS next, (SELECT base FROM outbox_base) AS base,
            \(sql: present) AS watermark, (SELECT MAX(sequence) FROM outbox) AS newest,
            (EXTRACT(EPOCH FROM clock_timestamp()) * 1000)::bigint AS at,
            (SELECT string_agg(id::text, ',') FROM running) AS running,
            (SELECT string_agg(id::text, ',') FROM running WHERE EXISTS (
                SELECT 1 FROM held AS own
                WHERE own.locktype = 'transactionid' AND own.transactionid = running.id::xid
                    AND own.mode = 'ExclusiveLock' AND NOT EXISTS (
                        SELECT 1 FROM held AS writing
                        WHERE writing.virtualtransaction = own.virtualtransaction AND writing.locktype = 'relation'
                            AND writing.mode = 'RowExclusiveLock'
                            AND writing.database = (SELECT oid FROM pg_database WHERE datname = current_database()))
            )) AS strangers
        FROM snapshot
        """

    /// The result of one check.
    struct Check: Sendable {
        let next: Int64
        let base: Int64
        /// The watermark of ``OutboxWatermark/present``.
        let present: Int64
        let newest: Int64?
        /// The database's time.
        let at: Instant
        let running: Set<Int64>
        let strangers: Set<Int64>

        init(_ row: Row) throws {
            func ids(_ column: String) throws -> Set<Int64> {
                let text = try row.get(column, as: String?.self) ?? ""
                return Set(text.split(separator: ",").compactMap { Int64($0) })
            }
            next = try row.get("next")
            base = try row.get("base")
            present = try row.get("watermark")
            newest = try row.get("newest")
            at = try row.get("at")
            running = try ids("running")
            strangers = try ids("strangers")
        }
    }

    private struct State {
        var highest: Int64 = 0
        // Transactions without a writer's lock at the last check. The lock table is read after the snapshot, so such a
        // transaction may just have ended and released its locks.
        var suspected: Set<Int64> = []
        // Suspected transactions that are still running at a later check: they had not begun to release locks.
        var ignored: Set<Int64> = []
        var lifted: Int64?
        var resets = 0
    }

    private let state = Mutex(State())

    /// The highest watermark so far. It holds for every transaction that begins from now on, and not for running ones.
    var known: Int64 { state.withLock(\.highest) }

    /// The number of resets of the event order since this process started.
    var resets: Int { state.withLock(\.resets) }

    /// Records the result of a check.
    /// - Returns: the highest watermark so far, and the transaction that keeps it from being higher.
    func raise(by check: Check) -> (known: Int64, holder: Int64?) {
        state.withLock { state in
            state.ignored = state.ignored.union(state.suspected).intersection(check.running)
            state.suspected = check.strangers
            let holder = check.running.subtracting(state.ignored).min()
            let watermark = ((holder ?? check.next) + check.base) << 16
            state.highest = max(state.highest, watermark, check.present)
            return (state.highest, holder)
        }
    }

    /// Records the number from which the order holds, for a new connection. It discards what is known about running
    /// transactions, because the new connection may go to another server.
    func begin(lifted: Int64) {
        state.withLock { state in
            state.suspected = []
            state.ignored = []
            if let before = state.lifted, before != lifted { state.resets += 1 }
            state.lifted = lifted
        }
    }
}
