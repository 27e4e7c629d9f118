import Jobs
import Kernel
import Storage

/// The table `mail_queue`, in which earlier versions queue mails. While nodes of both versions run, those of this
/// version move its rows to the job queue.
enum EarlierMailStore {
    /// Returns whether a mail of a lane can be moved. This read avoids a write for an empty table.
    static func isAnyDue(_ lane: MailLane, now: Instant, in tx: Transaction) throws -> Bool {
        try !due(lane, now: now, limit: 1, in: tx).isEmpty
    }

    /// Moves due mails of a lane, at most ``Limits/movedMailsPerStep``. A mail that isn't due may be leased to a node
    /// of an earlier version.
    /// - Returns: the number of rows that were found.
    static func move(_ lane: MailLane, to jobs: JobQueue, now: Instant, in tx: Transaction) throws -> Int {
        let rows = try due(lane, now: now, limit: Limits.movedMailsPerStep, in: tx)
        var moved: [(job: NewJob, id: ID<NewJob>)] = []
        for row in rows {
            let id: ID<NewJob> = try row.get("id")
            let attempts: Int = try row.get("attempts")
            // No row is deleted if another node leased the mail after the rows were read.
            let count = try tx.executeCounting("DELETE FROM mail_queue WHERE id = \(id) AND attempts = \(attempts)")
            guard count == 1 else { continue }
            let job = NewJob(kind: "mail", payload: try row.get("sealed"), expiresAt: try row.get("expires_at"))
            moved.append((job, id))
        }
        try jobs.insert(moved, now: now, in: tx)
        return rows.count
    }

    private static func due(_ lane: MailLane, now: Instant, limit: Int, in tx: Transaction) throws -> [Row] {
        try tx.rows(
            """
            SELECT id, attempts, sealed, expires_at FROM mail_queue
            WHERE lane = \(lane.rawValue) AND due_at <= \(now) ORDER BY due_at, id LIMIT \(limit)
            """
        )
    }
}
