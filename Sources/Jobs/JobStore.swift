import Kernel
import Storage

/// The SQL of the table `job`. A row exists until its job is done, or is deleted as a dead job.
enum JobStore {
    /// Inserts jobs that are due at once. A job whose name waits or runs already isn't inserted.
    static func insert(
        _ jobs: ArraySlice<(job: NewJob, id: ID<NewJob>)>, lane: JobLane, now: Instant, in tx: Transaction
    ) throws {
        try tx.execute(insertion(jobs, lane: lane, now: now))
    }

    /// Inserts jobs like ``insert(_:lane:now:in:)``.
    /// - Returns: the number of inserted jobs.
    static func insertCounting(
        _ jobs: ArraySlice<(job: NewJob, id: ID<NewJob>)>, lane: JobLane, now: Instant, in tx: Transaction
    ) throws -> Int {
        try tx.executeCounting(insertion(jobs, lane: lane, now: now))
    }

    private static func insertion(
        _ jobs: ArraySlice<(job: NewJob, id: ID<NewJob>)>, lane: JobLane, now: Instant
    ) -> SQL {
        var insertion: SQL = """
            INSERT INTO job (id, lane, kind, subject, name, payload, due_at, queued_at, expires_at) VALUES
            """
        for (index, (job, id)) in jobs.enumerated() {
            insertion += index == 0 ? " (" : ", ("
            insertion +=
                "\(id), \(lane.name), \(job.kind), \(String(job.subject.prefix(Limits.jobText))), \(job.name), "
            insertion += "\(job.payload), \(now), \(now), \(job.expiresAt))"
        }
        insertion += " ON CONFLICT (lane, name) WHERE name IS NOT NULL AND dead_at IS NULL DO NOTHING"
        return insertion
    }

    /// Counts a lane's jobs up to its capacity, and its dead jobs. The oldest is that of the
    /// jobs that aren't being performed. A job whose lease ended without a worker waits since that end.
    static func counts(
        of lane: JobLane, now: Instant, in tx: Transaction
    ) throws -> (waiting: Int, oldestQueuedAt: Instant?, dead: Int) {
        let waiting = try tx.row(
            """
            SELECT COUNT(*) AS jobs,
                MIN(CASE WHEN is_leased = 0 THEN queued_at WHEN due_at <= \(now) THEN due_at END) AS oldest
            FROM (
                SELECT queued_at, due_at, is_leased FROM job WHERE lane = \(lane.name) AND dead_at IS NULL LIMIT \(lane.capacity)
            ) AS waiting
            """
        )
        let dead = try tx.row(
            """
            SELECT COUNT(*) AS jobs FROM (
                SELECT 1 AS job FROM job WHERE lane = \(lane.name) AND dead_at IS NOT NULL
                LIMIT \(Limits.deadJobsPerLane)
            ) AS dead
            """
        )
        return (try waiting?.get("jobs") ?? 0, try waiting?.get("oldest"), try dead?.get("jobs") ?? 0)
    }

    /// Returns the time at which the next job of a lane is due, or its lease ends; `nil` for an empty lane.
    static func nextDue(_ lane: JobLane, in tx: Transaction) throws -> Instant? {
        try tx.row("SELECT MIN(due_at) AS next FROM job WHERE lane = \(lane.name) AND dead_at IS NULL")?.get("next")
    }

    /// Leases due jobs of a lane that haven't expired. Expired jobs before them become dead jobs, at most
    /// ``Limits/expiredJobsPerLease``.
    static func lease(_ lane: JobLane, limit: Int, now: Instant, in tx: Transaction) throws -> LeaseResult {
        var result = LeaseResult()
        for _ in 0..<Limits.expiredJobsPerLease {
            let row = try tx.row(
                """
                SELECT id, kind, payload, attempts, earlier_attempts, expires_at FROM job
                WHERE lane = \(lane.name) AND dead_at IS NULL AND due_at <= \(now)
                ORDER BY due_at, id LIMIT 1 \(sql: tx.forUpdateSkipLocked)
                """
            )
            guard let row else { return result }
            let id: ID<NewJob> = try row.get("id")
            let attempts: Int = try row.get("attempts")
            let expiresAt: Instant = try row.get("expires_at")
            guard expiresAt > now else {
                if try bury(id, attempt: attempts, lane: lane, error: nil, now: now, in: tx) {
                    result.expiredCount += 1
                }
                continue
            }
            try tx.execute(
                """
                UPDATE job SET attempts = \(attempts + 1), due_at = \(now.adding(seconds: lane.leaseSeconds)),
                    is_leased = 1, again_at = CASE WHEN again_at > \(now) THEN again_at END
                WHERE id = \(id)
                """
            )
            result.jobs.append(
                LeasedJob(
                    id: id, kind: try row.get("kind"), payload: try row.get("payload"), attempt: attempts + 1,
                    earlierAttempts: try row.get("earlier_attempts"), expiresAt: expiresAt))
            if result.jobs.count == limit { return result }
        }
        result.moreMayBeDue = true
        return result
    }

    /// Deletes a job that is done.
    /// - Returns: false if another worker has leased it, or it is a dead job.
    static func delete(_ job: LeasedJob, in tx: Transaction) throws -> Bool {
        try tx.executeCounting(
            "DELETE FROM job WHERE id = \(job.id) AND attempts = \(job.attempt) AND dead_at IS NULL") == 1
    }

    /// Sets the instant of the next attempt.
    /// - Returns: as ``delete(_:in:)``.
    static func postpone(_ job: LeasedJob, until: Instant, error: String, in tx: Transaction) throws -> Bool {
        try tx.executeCounting(
            """
            UPDATE job SET due_at = \(until), is_leased = 0, last_error = \(String(error.prefix(Limits.jobText)))
            WHERE id = \(job.id) AND attempts = \(job.attempt) AND dead_at IS NULL
            """
        ) == 1
    }

    /// Sets the instant at which a job that succeeded is performed again, unless it was expedited to an earlier one
    /// during the attempt. Its earlier failures don't count any more.
    /// - Returns: as ``delete(_:in:)``.
    static func `repeat`(_ job: LeasedJob, at instant: Instant, in tx: Transaction) throws -> Bool {
        try tx.executeCounting(
            """
            UPDATE job SET due_at = CASE WHEN again_at < \(instant) THEN again_at ELSE \(instant) END,
                queued_at = CASE WHEN again_at < \(instant) THEN again_at ELSE \(instant) END,
                again_at = CASE WHEN again_at > \(instant) THEN again_at END,
                earlier_attempts = attempts, last_error = NULL, is_leased = 0
            WHERE id = \(job.id) AND attempts = \(job.attempt) AND dead_at IS NULL
            """
        ) == 1
    }

    /// Brings the jobs of a lane forward to an instant. A job that is performed before it is performed again then.
    static func expedite(_ lane: JobLane, to instant: Instant, in tx: Transaction) throws {
        // In the order of the ids, so that two transactions don't wait for each other.
        let ids: [ID<NewJob>] = try tx.rows(
            """
            SELECT id FROM job
            WHERE lane = \(lane.name) AND dead_at IS NULL
                AND (again_at IS NULL OR again_at > \(instant) OR (is_leased = 0 AND due_at > \(instant)))
            ORDER BY id \(sql: tx.forUpdate)
            """
        ).map { try $0.get("id") }
        guard !ids.isEmpty else { return }
        try tx.execute(
            """
            UPDATE job SET due_at = CASE WHEN is_leased = 0 AND due_at > \(instant) THEN \(instant) ELSE due_at END,
                again_at = CASE WHEN again_at < \(instant) THEN again_at ELSE \(instant) END
            WHERE id IN \(list: ids)
            """
        )
    }

    /// Deletes jobs that expired before an instant and that no worker turned into dead jobs.
    /// - Returns: the number of deleted rows, at most ``Limits/deadJobsPerStep``.
    static func deleteExpired(_ lane: JobLane, before: Instant, in tx: Transaction) throws -> Int {
        try tx.executeCounting(
            """
            DELETE FROM job WHERE id IN (
                SELECT id FROM job WHERE lane = \(lane.name) AND dead_at IS NULL AND expires_at < \(before)
                LIMIT \(Limits.deadJobsPerStep)
            )
            """
        )
    }

    /// Deletes the jobs of a lane that wait or run and have one of the names.
    static func delete(_ names: [String], of lane: JobLane, in tx: Transaction) throws {
        guard !names.isEmpty else { return }
        try tx.execute(
            "DELETE FROM job WHERE lane = \(lane.name) AND dead_at IS NULL AND name IN \(list: names)")
    }

    /// Extends a lease.
    /// - Returns: as ``delete(_:in:)``.
    static func renew(_ job: LeasedJob, until end: Instant, in tx: Transaction) throws -> Bool {
        try tx.executeCounting(
            "UPDATE job SET due_at = \(end) WHERE id = \(job.id) AND attempts = \(job.attempt) AND dead_at IS NULL"
        ) == 1
    }

    /// Postpones all jobs of a lane that wait and are due before an instant.
    static func pause(_ lane: JobLane, until instant: Instant, in tx: Transaction) throws {
        try tx.execute(
            """
            UPDATE job SET due_at = \(instant)
            WHERE lane = \(lane.name) AND dead_at IS NULL AND is_leased = 0 AND due_at < \(instant)
            """)
    }

    /// Replaces the payload of a leased job.
    /// - Returns: as ``delete(_:in:)``.
    static func replacePayload(of job: LeasedJob, by payload: [UInt8], in tx: Transaction) throws -> Bool {
        try tx.executeCounting(
            """
            UPDATE job SET payload = \(payload)
            WHERE id = \(job.id) AND attempts = \(job.attempt) AND dead_at IS NULL
            """
        ) == 1
    }

    /// Turns a job into a dead job.
    /// - Parameter error: `nil` keeps the error of the attempt before.
    /// - Returns: as ``delete(_:in:)``.
    @discardableResult
    static func bury(
        _ id: ID<NewJob>, attempt: Int, lane: JobLane, error: String?, now: Instant, in tx: Transaction
    ) throws -> Bool {
        var change: SQL = "UPDATE job SET dead_at = \(now), is_leased = 0"
        if let error { change += ", last_error = \(String(error.prefix(Limits.jobText)))" }
        if !lane.retainsDeadPayloads { change += ", payload = NULL" }
        change += " WHERE id = \(id) AND attempts = \(attempt) AND dead_at IS NULL"
        return try tx.executeCounting(change) == 1
    }
}

/// The result of ``JobStore/lease(_:limit:now:in:)``.
struct LeaseResult: Sendable {
    var jobs: [LeasedJob] = []
    /// The number of expired jobs that became dead jobs.
    var expiredCount = 0
    /// Whether so many expired jobs were found that others may be due.
    var moreMayBeDue = false
}

/// The SQL of dead jobs in the table `job`.
enum DeadJobStore {
    /// Returns dead jobs of a lane, the newest first.
    /// - Parameter last: the last one of the previous page.
    static func page(
        of lane: JobLane, after last: DeadJob?, limit: Int, in tx: Transaction
    ) throws -> [DeadJob] {
        var query: SQL = """
            SELECT id, lane, kind, subject, attempts, queued_at, dead_at, last_error,
                CASE WHEN payload IS NULL THEN 0 ELSE 1 END AS is_retryable
            FROM job WHERE lane = \(lane.name) AND dead_at IS NOT NULL
            """
        if let last { query += " AND (dead_at, id) < (\(last.diedAt), \(last.id))" }
        query += " ORDER BY dead_at DESC, id DESC LIMIT \(limit)"
        return try tx.rows(query).map { row in
            DeadJob(
                id: try row.get("id"), lane: try row.get("lane"), kind: try row.get("kind"),
                subject: try row.get("subject"), attempts: try row.get("attempts"),
                queuedAt: try row.get("queued_at"), diedAt: try row.get("dead_at"),
                lastError: try row.get("last_error"), isRetryable: try row.get("is_retryable"))
        }
    }

    /// Returns the lane of a dead job; `nil` for an unknown one.
    static func lane(of id: ID<NewJob>, in tx: Transaction) throws -> String? {
        try tx.row("SELECT lane FROM job WHERE id = \(id) AND dead_at IS NOT NULL")?.get("lane")
    }

    /// Enqueues a dead job again. It expires after the same time as before.
    /// - Returns: false if there is no such dead job, it has no payload, or another job of its name waits.
    static func retry(_ id: ID<NewJob>, lane: JobLane, now: Instant, in tx: Transaction) throws -> Bool {
        // The number of attempts continues, so that it still distinguishes all leases.
        try tx.executeCounting(
            """
            UPDATE job SET dead_at = NULL, earlier_attempts = attempts, is_leased = 0, again_at = NULL, due_at = \(now), queued_at = \(now),
                expires_at = \(now) + (expires_at - queued_at)
            WHERE id = \(id) AND lane = \(lane.name) AND dead_at IS NOT NULL AND payload IS NOT NULL
                AND NOT EXISTS (
                    SELECT 1 FROM job other
                    WHERE other.lane = job.lane AND other.name = job.name AND other.dead_at IS NULL
                )
            """
        ) == 1
    }

    /// Deletes dead jobs of a lane: those from before an instant, and the oldest above a number.
    /// - Returns: the number of deleted rows, at most ``Limits/deadJobsPerStep``.
    static func prune(
        _ lane: JobLane, before: Instant, keeping count: Int, in tx: Transaction
    ) throws -> Int {
        let oldestToKeep = try tx.row(
            """
            SELECT dead_at FROM job WHERE lane = \(lane.name) AND dead_at IS NOT NULL
            ORDER BY dead_at DESC, id DESC LIMIT 1 OFFSET \(count)
            """
        )
        // The row after those to keep is deleted too.
        let surplus: Instant? = try oldestToKeep?.get("dead_at")
        let end = max(before, surplus.map { Instant(millisecondsSince1970: $0.millisecondsSince1970 + 1) } ?? before)
        return try tx.executeCounting(
            """
            DELETE FROM job WHERE id IN (
                SELECT id FROM job WHERE lane = \(lane.name) AND dead_at IS NOT NULL AND dead_at < \(end)
                ORDER BY dead_at, id LIMIT \(Limits.deadJobsPerStep)
            )
            """
        )
    }
}
