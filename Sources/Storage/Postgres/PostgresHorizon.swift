import Synchronization

/// How far the outbox may be read without passing by what isn't visible yet.
///
/// A transaction may commit after one that began later. A sequence is therefore made of the transaction's id and the
/// event's index in it, and readers stay below the oldest transaction that is still running: what they have not seen
/// yet can only come above. Transaction ids are the whole server's; those of other databases on it don't count, so that
/// somebody else's long transaction doesn't stop our live updates. One of theirs that ends while we look is taken for
/// ours, so that a look may see less than an earlier one; hence the highest of all looks is kept.
final class PostgresHorizon: Sendable {
    /// The horizon as one statement sees it.
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

    private let highest = Mutex<Int64>(0)

    /// The highest horizon so far. It holds for every transaction that begins from now on, not for those that run.
    var known: Int64 { highest.withLock { $0 } }

    /// Notes a look's horizon.
    /// - Returns: the highest so far.
    func raise(to horizon: Int64) -> Int64 {
        highest.withLock { highest in
            highest = max(highest, horizon)
            return highest
        }
    }
}
