import Kernel
import Synchronization

/// How far the outbox may be read without passing by what isn't visible yet.
///
/// A transaction may commit after one that began later. A sequence is therefore made of the transaction's id and the
/// event's index in it, and readers stay below the oldest transaction that may still publish: what they have not seen
/// yet can only come above. docs/decisions/0030 has the argument why no event is skipped.
final class PostgresHorizon: Sendable {
    /// The horizon as one statement sees it, without what earlier looks found out. Transaction ids are the whole
    /// server's; those of other databases on it don't count. One of theirs that ends during the statement is taken for
    /// ours.
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

    /// The query of the listener's looks: the running transactions, and which of them are seen without a writer's lock.
    static let look: SQL = """
        WITH snapshot AS MATERIALIZED (SELECT pg_current_snapshot() AS present),
            running AS MATERIALIZED (SELECT pg_snapshot_xip(present) AS id FROM snapshot),
            held AS MATERIALIZED (
                SELECT locktype, transactionid, virtualtransaction, mode, relation, database FROM pg_locks
                WHERE EXISTS (SELECT 1 FROM running)
                    AND (locktype = 'transactionid' OR (locktype = 'relation' AND relation = 'outbox'::regclass))
            )
        SELECT pg_snapshot_xmax(present)::text::bigint AS next, (SELECT base FROM outbox_base) AS base,
            \(sql: present) AS horizon, (SELECT MAX(sequence) FROM outbox) AS newest,
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

    /// The result of a look.
    struct Look: Sendable {
        let next: Int64
        let base: Int64
        /// See ``PostgresHorizon/present``.
        let present: Int64
        let newest: Int64?
        /// The database's clock.
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
            present = try row.get("horizon")
            newest = try row.get("newest")
            at = try row.get("at")
            running = try ids("running")
            strangers = try ids("strangers")
        }
    }

    private struct State {
        var highest: Int64 = 0
        // Seen without a writer's lock by the last look. The lock table is read after the snapshot, so that such a
        // transaction may just have ended and given its locks back.
        var suspected: Set<Int64> = []
        // Seen so, and still running at a later look: it had not begun to release locks.
        var ignored: Set<Int64> = []
        var lifted: Int64?
        var resets = 0
    }

    private let state = Mutex(State())

    /// The highest horizon so far. It holds for every transaction that begins from now on, not for those that run.
    var known: Int64 { state.withLock(\.highest) }

    /// How often the order of numbers was reset while this process ran.
    var resets: Int { state.withLock(\.resets) }

    /// Records a look.
    /// - Returns: the highest horizon so far, and the transaction that keeps it from being higher.
    func raise(by look: Look) -> (known: Int64, holder: Int64?) {
        state.withLock { state in
            state.ignored = state.ignored.union(state.suspected).intersection(look.running)
            state.suspected = look.strangers
            let holder = look.running.subtracting(state.ignored).min()
            let horizon = ((holder ?? look.next) + look.base) << 16
            state.highest = max(state.highest, horizon, look.present)
            return (state.highest, holder)
        }
    }

    /// Notes from which number on the order holds, on a new connection. What was found out about running transactions
    /// is of another server, maybe.
    func begin(lifted: Int64) {
        state.withLock { state in
            state.suspected = []
            state.ignored = []
            if let before = state.lifted, before != lifted { state.resets += 1 }
            state.lifted = lifted
        }
    }
}
