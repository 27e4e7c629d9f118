package import Kernel
package import Logging
package import Storage
import Synchronization

/// The jobs of one lane in the database. A job that is enqueued with a change is performed after it, even if the
/// process ends.
package final class JobQueue: Sendable {
    package let lane: JobLane
    /// Logs the failures of jobs.
    package let logger: Logger
    let random: any RandomSource
    /// Yields a value whenever a job may be due. It has one reader.
    let wakes: AsyncStream<Void>
    private let waking: AsyncStream<Void>.Continuation
    private let current = Mutex(JobLaneStatus())

    package init(lane: JobLane, random: any RandomSource, logger: Logger) {
        self.lane = lane
        self.random = random
        self.logger = logger
        (wakes, waking) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// The state of the lane when it was last counted, with this process's changes since.
    package var status: JobLaneStatus { current.withLock(\.self) }

    /// Wakes the lane's worker in this process.
    package func wake() { waking.yield() }

    /// Enqueues a job in the transaction of the change that it belongs to. This process's worker is woken after the
    /// commit.
    /// - Returns: false when the lane is full; nothing is enqueued then.
    @discardableResult
    package func enqueue(_ job: NewJob, now: Instant, in tx: Transaction) throws -> Bool {
        try enqueue([job], now: now, in: tx)
    }

    /// Enqueues several jobs, or none.
    /// - Returns: as ``enqueue(_:now:in:)-(NewJob,_,_)``.
    @discardableResult
    package func enqueue(_ jobs: [NewJob], now: Instant, in tx: Transaction) throws -> Bool {
        // Later, the lane isn't counted here: a transaction must not get slower while the queue grows.
        if !status.isCounted { try count(now: now, in: tx) }
        guard status.waitingCount + jobs.count <= lane.capacity else {
            logger.error("The job queue is full", metadata: ["lane": "\(lane.name)"])
            return false
        }
        try insert(jobs.map { ($0, ID<NewJob>(at: now, random: random)) }, now: now, in: tx)
        return true
    }

    /// Enqueues jobs without a check of the lane's capacity. For rows that are moved from an
    /// earlier queue, and for repeated jobs.
    package func insert(_ jobs: [(job: NewJob, id: ID<NewJob>)], now: Instant, in tx: Transaction) throws {
        var count = 0
        var rest = jobs[...]
        while !rest.isEmpty {
            count += try JobStore.insertCounting(rest.prefix(Limits.jobsPerStatement), lane: lane, now: now, in: tx)
            rest = rest.dropFirst(Limits.jobsPerStatement)
        }
        guard count > 0 else { return }
        tx.afterCommit { [self, count] in addWaiting(count) }
    }

    /// Returns when the next job is due; `nil` for an empty lane.
    package func nextDue(in tx: Transaction) throws -> Instant? { try JobStore.nextDue(lane, in: tx) }

    /// Leases due jobs. Expired jobs before them become dead jobs.
    func lease(limit: Int, now: Instant, in tx: Transaction) throws -> LeaseResult {
        let result = try JobStore.lease(lane, limit: limit, now: now, in: tx)
        if result.expiredCount > 0 {
            tx.afterCommit { [self] in removeWaiting(result.expiredCount) }
        }
        return result
    }

    /// Replaces the payload of a leased job.
    /// - Throws: ``JobFailure/leaseLost`` when another worker has leased the job.
    package func replacePayload(of job: LeasedJob, by payload: [UInt8], in tx: Transaction) throws {
        guard try JobStore.replacePayload(of: job, by: payload, in: tx) else { throw JobFailure.leaseLost }
    }

    /// Extends a lease.
    /// - Throws: ``JobFailure/leaseLost`` when another worker has leased the job.
    func renew(_ job: LeasedJob, now: Instant, in tx: Transaction) throws {
        guard try JobStore.renew(job, until: now.adding(seconds: lane.leaseSeconds), in: tx) else {
            throw JobFailure.leaseLost
        }
    }

    /// Ends a successful attempt.
    /// - Returns: false if this worker lost its lease. Nothing changes then.
    @discardableResult
    func complete(_ job: LeasedJob, _ completion: JobCompletion = .done, in tx: Transaction) throws -> Bool {
        if let nextAt = completion.nextAt {
            guard try JobStore.`repeat`(job, at: nextAt, in: tx) else { return false }
        } else {
            guard try JobStore.delete(job, in: tx) else { return false }
            tx.afterCommit { [self] in removeWaiting(1) }
        }
        try completion.change?(tx)
        return true
    }

    /// Ends a failed attempt. The job is due again after its back-off; after its last attempt, it becomes a dead job.
    /// - Parameter chance: a random number for the jitter.
    func fail(_ job: LeasedJob, by error: any Error, chance: UInt64, now: Instant, in tx: Transaction) throws -> Outcome
    {
        let failure = error as? JobFailure
        let attempt = job.attempt - job.earlierAttempts
        let pause = max(
            lane.backOff.milliseconds(afterAttempt: attempt, chance: chance), failure?.retryAfterMilliseconds ?? 0)
        let next = Instant(millisecondsSince1970: now.millisecondsSince1970 + pause)
        let reason = JobFailure.reason(of: error)
        let isLast = failure?.isFinal == true || next >= job.expiresAt || attempt >= lane.attemptsMaximum ?? .max
        let hasLease =
            isLast
            ? try JobStore.bury(job.id, attempt: job.attempt, lane: lane, error: reason, now: now, in: tx)
            : try JobStore.postpone(job, until: next, error: reason, in: tx)
        guard hasLease else { return .leaseLost }
        if let failure, failure.pausesLane {
            let milliseconds = now.millisecondsSince1970 + failure.retryAfterMilliseconds
            try JobStore.pause(lane, until: Instant(millisecondsSince1970: milliseconds), in: tx)
        }
        guard isLast else { return .postponed(until: next) }
        tx.afterCommit { [self] in removeWaiting(1) }
        return .dead
    }

    /// The result of a failed attempt.
    enum Outcome: Sendable, Equatable {
        case postponed(until: Instant)
        case dead
        case leaseLost
    }

    /// Counts the lane's jobs, at most its capacity, and its dead jobs.
    package func count(now: Instant, in tx: Transaction) throws {
        let counts = try JobStore.counts(of: lane, now: now, in: tx)
        current.withLock {
            $0.waitingCount = counts.waiting
            $0.oldestQueuedAt = counts.oldestQueuedAt
            $0.deadCount = counts.dead
            $0.isCounted = true
        }
    }

    /// Counts a failure inside a job that continues.
    package func countFailure() { current.withLock { $0.failureCount += 1 } }

    /// Counts jobs that were just committed, and wakes the worker.
    func addWaiting(_ count: Int) {
        current.withLock { $0.waitingCount += count }
        wake()
    }

    private func removeWaiting(_ count: Int) {
        current.withLock { $0.waitingCount = max(0, $0.waitingCount - count) }
    }
}

extension JobLane {
    /// Enqueues a job without a check of the lane's capacity. For code that has no queue at hand. It wakes no worker,
    /// so the transaction should publish an event.
    package func insert(_ job: NewJob, id: ID<NewJob>, now: Instant, in tx: Transaction) throws {
        try JobStore.insert([(job, id)], lane: self, now: now, in: tx)
    }

    /// Deletes the jobs with these names, except dead ones. An attempt that runs isn't stopped, but its completion
    /// changes nothing.
    package func removeJobs(named names: [String], in tx: Transaction) throws {
        try JobStore.delete(names, of: self, in: tx)
    }

    /// Brings all jobs forward to an instant, unless they are due earlier. A job that is being performed is repeated
    /// then, if it is a repeated one. It wakes no worker, so the transaction should publish an event.
    package func expedite(to instant: Instant, in tx: Transaction) throws {
        try JobStore.expedite(self, to: instant, in: tx)
    }
}

/// The state of a lane.
package struct JobLaneStatus: Sendable, Equatable {
    /// The jobs that wait or run. At most the lane's capacity is counted.
    package internal(set) var waitingCount = 0
    /// When the oldest of the waiting jobs was enqueued, or last repeated.
    package internal(set) var oldestQueuedAt: Instant?
    /// The dead jobs. At most ``Limits/deadJobsPerLane`` are counted.
    package internal(set) var deadCount = 0
    /// Whether the lane was counted since the start of this process.
    var isCounted = false
    /// The failed attempts of this process since its start.
    package internal(set) var failureCount = 0
}
