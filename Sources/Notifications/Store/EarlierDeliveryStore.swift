import Jobs
import Kernel
import Storage

/// The table `push_delivery`, in which earlier versions queue push messages. While nodes of both versions run, those of
/// this version move its rows to the job queue.
enum EarlierDeliveryStore {
    /// Returns whether a message can be moved. This read avoids a write for an empty table.
    static func isAnyDue(now: Instant, in tx: Transaction) throws -> Bool {
        try !due(now: now, limit: 1, in: tx).isEmpty
    }

    /// Moves due messages, at most ``Limits/movedPushMessagesPerStep``. A message that isn't due may be leased to a
    /// node of an earlier version.
    static func move(to queue: JobQueue, random: any RandomSource, now: Instant, in tx: Transaction) throws {
        var jobs: [(job: NewJob, id: ID<NewJob>)] = []
        for row in try due(now: now, limit: Limits.movedPushMessagesPerStep, in: tx) {
            let notice: ID<Notice> = try row.get("notice_id")
            let subscription: ID<PushSubscription> = try row.get("subscription_id")
            let attempts: Int = try row.get("attempts")
            // No row is deleted if another node leased the message after the rows were read.
            let count = try tx.executeCounting(
                """
                DELETE FROM push_delivery WHERE notice_id = \(notice) AND subscription_id = \(subscription)
                    AND attempts = \(attempts)
                """
            )
            guard count == 1 else { continue }
            let job = PushJobs.message(
                of: notice, to: subscription, subject: "", expiresAt: try row.get("expires_at"))
            jobs.append((job, ID(at: now, random: random)))
        }
        try queue.insert(jobs, now: now, in: tx)
    }

    private static func due(now: Instant, limit: Int, in tx: Transaction) throws -> [Row] {
        try tx.rows(
            """
            SELECT notice_id, subscription_id, attempts, expires_at FROM push_delivery WHERE next_at <= \(now)
            ORDER BY next_at LIMIT \(limit)
            """
        )
    }
}
