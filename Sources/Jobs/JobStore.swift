import Kernel
import Storage

/// The SQL of the table `job`. A row exists until its job is done, or until its dead letter is deleted.
enum JobStore {
    static func insert(
        _ job: NewJob, id: ID<NewJob>, lane: JobLane, now: Instant, in tx: Transaction
    ) throws {
        try tx.execute(
            """
            INSERT INTO job (id, lane, kind, subject, payload, due_at, queued_at, expires_at) VALUES (
                \(id), \(lane.name), \(job.kind), \(String(job.subject.prefix(Limits.jobText))), \(job.payload), \(now),
                \(now), \(job.expiresAt)
            )
            """
        )
    }

    /// Returns the number of jobs of a lane that wait or run, counted up to `limit`.
    static func count(_ lane: JobLane, upTo limit: Int, in tx: Transaction) throws -> Int {
        try tx.row(
            """
            SELECT COUNT(*) AS jobs FROM (
                SELECT 1 AS job FROM job WHERE lane = \(lane.name) AND dead_at IS NULL LIMIT \(limit)
            ) AS waiting
            """
        )?.get("jobs") ?? 0
    }

    /// Returns the time at which the next job of a lane is due, or its lease ends; `nil` for an empty lane.
    static func nextDue(_ lane: JobLane, in tx: Transaction) throws -> Instant? {
        try tx.row("SELECT MIN(due_at) AS next FROM job WHERE lane = \(lane.name) AND dead_at IS NULL")?.get("next")
    }

    /// Leases the next due job of a lane that hasn't expired. Expired jobs before it become dead letters, at most
    /// ``Limits/expiredJobsPerLease``.
    static func lease(_ lane: JobLane, now: Instant, in tx: Transaction) throws -> LeaseResult {
        for _ in 0..<Limits.expiredJobsPerLease {
            let row = try tx.row(
                """
                SELECT id, kind, payload, attempts, attempts_before_retry, expires_at FROM job
                WHERE lane = \(lane.name) AND dead_at IS NULL AND due_at <= \(now)
                ORDER BY due_at, id LIMIT 1 \(sql: tx.forUpdateSkipLocked)
                """
            )
            guard let row else { return .nothing }
            let id: ID<NewJob> = try row.get("id")
            let attempts: Int = try row.get("attempts")
            let expiresAt: Instant = try row.get("expires_at")
            guard expiresAt > now else {
                try bury(id, attempt: attempts, lane: lane, error: nil, now: now, in: tx)
                continue
            }
            try tx.execute(
                """
                UPDATE job SET attempts = \(attempts + 1), due_at = \(now.adding(seconds: lane.leaseSeconds))
                WHERE id = \(id)
                """
            )
            return .leased(
                LeasedJob(
                    id: id, kind: try row.get("kind"), payload: try row.get("payload"), attempt: attempts + 1,
                    attemptsBeforeRetry: try row.get("attempts_before_retry"), expiresAt: expiresAt))
        }
        return .moreMayBeDue
    }

    /// Deletes a job that is done.
    /// - Returns: false if another worker has leased it, or it is a dead letter.
    static func delete(_ job: LeasedJob, in tx: Transaction) throws -> Bool {
        try tx.execute(
            "DELETE FROM job WHERE id = \(job.id) AND attempts = \(job.attempt) AND dead_at IS NULL") == 1
    }

    /// Sets the instant of the next attempt.
    /// - Returns: as ``delete(_:in:)``.
    static func postpone(_ job: LeasedJob, until: Instant, error: String, in tx: Transaction) throws -> Bool {
        try tx.execute(
            """
            UPDATE job SET due_at = \(until), last_error = \(String(error.prefix(Limits.jobText)))
            WHERE id = \(job.id) AND attempts = \(job.attempt) AND dead_at IS NULL
            """
        ) == 1
    }

    /// Replaces the payload of a leased job.
    /// - Returns: as ``delete(_:in:)``.
    static func replacePayload(of job: LeasedJob, by payload: [UInt8], in tx: Transaction) throws -> Bool {
        try tx.execute(
            """
            UPDATE job SET payload = \(payload)
            WHERE id = \(job.id) AND attempts = \(job.attempt) AND dead_at IS NULL
            """
        ) == 1
    }

    /// Turns a job into a dead letter.
    /// - Parameter error: `nil` keeps the error of the attempt before.
    /// - Returns: as ``delete(_:in:)``.
    @discardableResult
    static func bury(
        _ id: ID<NewJob>, attempt: Int, lane: JobLane, error: String?, now: Instant, in tx: Transaction
    ) throws -> Bool {
        var change: SQL = "UPDATE job SET dead_at = \(now)"
        if let error { change += ", last_error = \(String(error.prefix(Limits.jobText)))" }
        if !lane.retainsDeadPayloads { change += ", payload = NULL" }
        change += " WHERE id = \(id) AND attempts = \(attempt) AND dead_at IS NULL"
        return try tx.execute(change) == 1
    }
}

/// The result of ``JobStore/lease(_:now:in:)``.
enum LeaseResult: Sendable {
    case leased(LeasedJob)
    /// Only expired jobs were found; other jobs may be due.
    case moreMayBeDue
    case nothing
}

/// The SQL of dead letters in the table `job`.
enum DeadJobStore {
    /// Returns dead letters of a lane, the newest first.
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

    /// Enqueues a dead letter again. It expires after the same time as before.
    /// - Returns: false if there is no such dead letter, or it has no payload.
    static func retry(_ id: ID<NewJob>, lane: JobLane, now: Instant, in tx: Transaction) throws -> Bool {
        // The number of attempts continues, so that it still distinguishes all leases.
        try tx.execute(
            """
            UPDATE job SET dead_at = NULL, attempts_before_retry = attempts, due_at = \(now), queued_at = \(now),
                expires_at = \(now) + (expires_at - queued_at)
            WHERE id = \(id) AND lane = \(lane.name) AND dead_at IS NOT NULL AND payload IS NOT NULL
            """
        ) == 1
    }

    /// Deletes dead letters of a lane: those from before an instant, and the oldest above a number.
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
        return try tx.execute(
            """
            DELETE FROM job WHERE id IN (
                SELECT id FROM job WHERE lane = \(lane.name) AND dead_at IS NOT NULL AND dead_at < \(end)
                ORDER BY dead_at, id LIMIT \(Limits.deadJobsPerStep)
            )
            """
        )
    }
}
