package import Kernel
package import Logging
package import Storage
import Synchronization

/// The jobs of one lane in the database. A job that is enqueued with a change is performed after it, even if the process
/// ends.
package final class JobQueue: Sendable {
    package let lane: JobLane
    let logger: Logger
    private let random: any RandomSource
    /// Yields a value whenever a job may be due. It has one reader.
    let wakes: AsyncStream<Void>
    private let waking: AsyncStream<Void>.Continuation
    private let failures = Mutex(0)

    package init(lane: JobLane, random: any RandomSource, logger: Logger) {
        self.lane = lane
        self.random = random
        self.logger = logger
        (wakes, waking) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Wakes the lane's worker in this process.
    package func wake() { waking.yield() }

    /// Enqueues a job in the transaction of the change that it belongs to. This process's worker is woken after the
    /// commit.
    /// - Returns: false when the lane is full; nothing is enqueued then.
    package func enqueue(_ job: NewJob, now: Instant, in tx: Transaction) throws -> Bool {
        guard try JobStore.count(lane, upTo: lane.capacity, in: tx) < lane.capacity else {
            logger.error("The job queue is full", metadata: ["lane": "\(lane.name)"])
            return false
        }
        let random = random
        try insert(job, id: ID<NewJob>(at: now, random: random), now: now, in: tx)
        return true
    }

    /// Enqueues a job without counting the lane. For rows of a queue that has its own capacity.
    package func insert(_ job: NewJob, id: ID<NewJob>, now: Instant, in tx: Transaction) throws {
        try JobStore.insert(job, id: id, lane: lane, now: now, in: tx)
        tx.afterCommit { [self] in wake() }
    }

    /// Returns when the next job is due; `nil` for an empty lane.
    package func nextDue(in tx: Transaction) throws -> Instant? { try JobStore.nextDue(lane, in: tx) }

    /// Leases the next due job. Expired jobs before it become dead letters.
    func lease(now: Instant, in tx: Transaction) throws -> LeaseResult {
        try JobStore.lease(lane, now: now, in: tx)
    }

    /// Replaces the payload of a leased job.
    /// - Throws: ``JobFailure/leaseLost`` when another worker has leased the job.
    package func replacePayload(of job: LeasedJob, by payload: [UInt8], in tx: Transaction) throws {
        guard try JobStore.replacePayload(of: job, by: payload, in: tx) else { throw JobFailure.leaseLost }
    }

    /// Deletes a job that is done.
    /// - Returns: false if this worker lost its lease. Nothing changes then.
    @discardableResult
    func finish(_ job: LeasedJob, in tx: Transaction) throws -> Bool { try JobStore.delete(job, in: tx) }

    /// Ends a failed attempt. The job is due again after its back-off; after its last attempt, it becomes a dead letter.
    /// - Parameter chance: a random number for the jitter.
    func fail(_ job: LeasedJob, by error: any Error, chance: UInt64, now: Instant, in tx: Transaction) throws -> Outcome
    {
        let attempt = job.attempt - job.attemptsBeforeRetry
        let pause = lane.backOff.milliseconds(afterAttempt: attempt, chance: chance)
        let next = Instant(millisecondsSince1970: now.millisecondsSince1970 + pause)
        let isFinal = (error as? JobFailure)?.isFinal ?? false
        let reason = JobFailure.reason(of: error)
        if isFinal || next >= job.expiresAt || attempt >= lane.attemptsMaximum ?? .max {
            let isDead = try JobStore.bury(
                job.id, attempt: job.attempt, lane: lane, error: reason, now: now, in: tx)
            return isDead ? .dead : .leaseLost
        }
        return try JobStore.postpone(job, until: next, error: reason, in: tx) ? .postponed(until: next) : .leaseLost
    }

    /// The result of a failed attempt.
    enum Outcome: Sendable, Equatable {
        case postponed(until: Instant)
        case dead
        case leaseLost
    }

    func nextChance() -> UInt64 { random.uint64() }

    func countFailure() { failures.withLock { $0 += 1 } }

    /// The number of failed attempts of this process since its start.
    package var failureCount: Int { failures.withLock(\.self) }
}
