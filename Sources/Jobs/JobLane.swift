package import Kernel
package import Storage

/// A priority class of jobs. Each lane has its own capacity and its own workers, so jobs of another lane neither delay
/// nor displace its jobs.
package struct JobLane: Sendable {
    /// The name in the database and in metrics: lower-case letters and hyphens. It never changes.
    package let name: String
    /// The number of jobs that may wait or run. Dead jobs don't count. Several processes can exceed it by what they
    /// enqueue within ``Limits/jobStatusSeconds``.
    package let capacity: Int
    /// The jobs that one worker performs at once.
    package let concurrency: Int
    /// The duration of a lease in seconds. The worker renews it during an attempt. After the end of a worker's process,
    /// another one takes the job over when the lease ends.
    package let leaseSeconds: Int64
    /// The delays between attempts.
    package let backOff: ExponentialBackOff
    /// The maximum number of attempts; `nil` for attempts until the job expires.
    package let attemptsMaximum: Int?
    /// Whether a dead job keeps its payload, which a retry needs.
    package let retainsDeadPayloads: Bool

    package init(
        name: String, capacity: Int, concurrency: Int = 1, leaseSeconds: Int64, backOff: ExponentialBackOff,
        attemptsMaximum: Int? = nil, retainsDeadPayloads: Bool
    ) {
        self.name = name
        self.capacity = capacity
        self.concurrency = concurrency
        self.leaseSeconds = leaseSeconds
        self.backOff = backOff
        self.attemptsMaximum = attemptsMaximum
        self.retainsDeadPayloads = retainsDeadPayloads
    }
}

/// A job to be enqueued.
package struct NewJob: Sendable {
    /// The kind of work, for the worker and for administrators.
    package let kind: String
    /// The object of the work as administrators see it. Contains no secrets and no addresses. Cut off after
    /// ``Limits/jobText`` characters.
    package let subject: String
    /// The input of the work. A payload with secrets must be sealed.
    package let payload: [UInt8]
    /// Distinguishes the job from all others of its lane: while it waits or runs, another one of the same name isn't
    /// enqueued. `nil` for a job that may be enqueued several times.
    package let name: String?
    /// The instant after which no further attempt is made.
    package let expiresAt: Instant

    /// The end of the year 9999, for a job that is repeated without an end.
    package static let endless = Instant(millisecondsSince1970: 253_402_300_799_000)

    package init(kind: String, subject: String = "", name: String? = nil, payload: [UInt8], expiresAt: Instant) {
        self.kind = kind
        self.subject = subject
        self.name = name
        self.payload = payload
        self.expiresAt = expiresAt
    }
}

/// A job that this worker may perform until its lease ends.
package struct LeasedJob: Sendable {
    package let id: ID<NewJob>
    package let kind: String
    package let payload: [UInt8]
    /// The number of attempts, including this one. It distinguishes this lease from later ones of the same job.
    package let attempt: Int
    /// The number of attempts before the job last succeeded, or before an administrator retried it.
    let earlierAttempts: Int
    package let expiresAt: Instant
}

/// A job that failed its last attempt, or expired.
package struct DeadJob: Sendable, Equatable {
    package let id: ID<NewJob>
    package let lane: String
    package let kind: String
    /// See ``NewJob/subject``.
    package let subject: String
    package let attempts: Int
    package let queuedAt: Instant
    package let diedAt: Instant
    /// `nil` for a job that expired before its first attempt ended.
    package let lastError: String?
    /// Whether the job can be retried: it still has its payload.
    package let isRetryable: Bool
}

/// What follows a successful attempt.
package struct JobCompletion: Sendable {
    /// When the job is performed again; `nil` to delete it.
    let nextAt: Instant?
    /// Changes in the transaction that ends the attempt. It isn't called if the lease was lost.
    let change: (@Sendable (Transaction) throws -> Void)?

    package init(nextAt: Instant? = nil, change: (@Sendable (Transaction) throws -> Void)? = nil) {
        self.nextAt = nextAt
        self.change = change
    }

    /// Deletes the job.
    package static let done = JobCompletion()
}

/// The failure of an attempt, with a fixed text for administrators. Other errors are stored as the name of their type,
/// because their description may contain secrets.
package struct JobFailure: Error, Equatable, Sendable {
    /// Contains no secrets.
    package let reason: String
    /// Whether every further attempt would fail too.
    package let isFinal: Bool
    /// The shortest delay until the next attempt, as the other side requested it.
    package let retryAfterMilliseconds: Int64
    /// Whether all jobs of the lane wait for `retryAfterMilliseconds`, because a limit applies to all of them.
    package let pausesLane: Bool

    package init(_ reason: String, isFinal: Bool = false, retryAfterMilliseconds: Int64 = 0, pausesLane: Bool = false) {
        self.reason = reason
        self.isFinal = isFinal
        self.retryAfterMilliseconds = retryAfterMilliseconds
        self.pausesLane = pausesLane
    }

    /// Another worker took the job over, because this worker's lease ended.
    package static let leaseLost = JobFailure("The lease ended during the attempt")

    static func reason(of error: any Error) -> String {
        (error as? JobFailure)?.reason ?? "\(type(of: error))"
    }
}
