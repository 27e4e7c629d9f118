package import Kernel

/// A priority class of jobs. Each lane has its own capacity and its own workers, so jobs of another lane neither delay
/// nor displace its jobs.
package struct JobLane: Sendable {
    /// The name in the database and in metrics: lower-case letters and hyphens. It never changes.
    package let name: String
    /// The maximum number of jobs that wait or run. Dead letters don't count.
    package let capacity: Int
    /// The duration of a lease in seconds, longer than any attempt. Afterwards, another worker may take the job over.
    package let leaseSeconds: Int64
    /// The delays between attempts.
    package let backOff: ExponentialBackOff
    /// The maximum number of attempts; `nil` for attempts until the job expires.
    package let attemptsMaximum: Int?
    /// Whether a dead letter keeps its payload, which a retry needs.
    package let retainsDeadPayloads: Bool

    package init(
        name: String, capacity: Int, leaseSeconds: Int64, backOff: ExponentialBackOff, attemptsMaximum: Int? = nil,
        retainsDeadPayloads: Bool
    ) {
        self.name = name
        self.capacity = capacity
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
    /// The instant after which no further attempt is made.
    package let expiresAt: Instant

    package init(kind: String, subject: String = "", payload: [UInt8], expiresAt: Instant) {
        self.kind = kind
        self.subject = subject
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
    /// The number of attempts before an administrator retried the job.
    let attemptsBeforeRetry: Int
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

/// The failure of an attempt, with a fixed text for administrators. Other errors are stored as the name of their type,
/// because their description may contain secrets.
package struct JobFailure: Error, Equatable, Sendable {
    /// Contains no secrets.
    package let reason: String
    /// Whether every further attempt would fail too.
    package let isFinal: Bool

    package init(_ reason: String, isFinal: Bool = false) {
        self.reason = reason
        self.isFinal = isFinal
    }

    /// Another worker took the job over, because this worker's lease ended.
    package static let leaseLost = JobFailure("The lease ended during the attempt")

    static func reason(of error: any Error) -> String {
        (error as? JobFailure)?.reason ?? "\(type(of: error))"
    }
}
