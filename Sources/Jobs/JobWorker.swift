package import Kernel
import Logging
package import Storage
import Synchronization

/// Performs the jobs of one lane. Any number of nodes may do so on one database: each job is leased to one worker. A
/// worker that ends after its work and before the job is deleted leaves the job to be performed again. So does a job
/// whose lease ended, also for the same worker. On a node whose clock is wrong, a worker begins no job.
package struct JobWorker: Sendable {
    private let queue: JobQueue
    private let database: Database
    private let clock: DatabaseClock
    private let pollSeconds: Int64
    private let finishesAttempts: Bool
    private let repeatedJobs: [NewJob]
    private let perform: @Sendable (LeasedJob) async throws -> JobCompletion

    /// - Parameters:
    ///   - pollSeconds: the longest time until this worker finds a job of another process that published no event.
    ///   - finishesAttempts: whether a worker that stops finishes the jobs that it has begun. Otherwise it cancels
    ///     their tasks, and the jobs are due at once for another worker.
    ///   - repeatedJobs: named jobs that are enqueued when the worker starts to run, unless they exist.
    ///   - perform: performs a job within its lease. It throws ``JobFailure`` or another error if the attempt failed.
    ///     Its task is cancelled when the lease is lost.
    package init(
        queue: JobQueue, database: Database, clock: any WallClock, pollSeconds: Int64 = Limits.jobPollSeconds,
        finishesAttempts: Bool = true, repeatedJobs: [NewJob] = [],
        perform: @escaping @Sendable (LeasedJob) async throws -> JobCompletion
    ) {
        self.queue = queue
        self.database = database
        self.clock = DatabaseClock(database: database, clock: clock)
        self.pollSeconds = pollSeconds
        self.finishesAttempts = finishesAttempts
        self.repeatedJobs = repeatedJobs
        self.perform = perform
    }

    /// Performs due jobs until the task is cancelled: after each commit that enqueued one in this process, when the
    /// outbox may have grown in any process, when the next job is due, and every `pollSeconds`. It returns after the
    /// jobs that have begun.
    package func run() async {
        // Not after the work: a long queue must be counted while it is long.
        let counting = Task {
            while !Task.isCancelled {
                await count()
                try? await Task.sleep(for: .seconds(Limits.jobStatusSeconds))
            }
        }
        defer { counting.cancel() }
        let isEnqueued = Mutex(repeatedJobs.isEmpty)
        await database.workWhenDue(
            atLeastEvery: pollSeconds, clock: clock, signals: queue.wakes,
            work: {
                if !isEnqueued.withLock(\.self) {
                    try await enqueueRepeatedJobs()
                    isEnqueued.withLock { $0 = true }
                }
                await performDueJobs()
                return try await database.read { [queue] tx in try queue.nextDue(in: tx) }
            }, failed: logUnreadable)
    }

    /// Enqueues the repeated jobs, unless they exist.
    package func enqueueRepeatedJobs() async throws {
        let now = clock.now
        // Without a check of the capacity: usually, the jobs exist and fill their lane.
        let jobs = repeatedJobs.map { (job: $0, id: ID<NewJob>(at: now, random: queue.random)) }
        try await database.write { [queue] tx in try queue.insert(jobs, now: now, in: tx) }
    }

    private func count() async {
        do {
            let now = clock.now
            try await database.read { [queue] tx in try queue.count(now: now, in: tx) }
        } catch {
            logUnreadable(error)
        }
    }

    /// Performs the jobs that are due, as many at once as the lane allows, until none runs and none is due. A job that
    /// becomes due while others run is performed if fewer jobs run than the lane allows. Errors of the database are
    /// logged; the jobs stay in the queue.
    package func performDueJobs() async {
        do {
            try await withThrowingTaskGroup(of: Wake.self) { group in
                var running = 0
                var isPausing = false
                while !Task.isCancelled {
                    if running < queue.lane.concurrency {
                        for job in await leaseDueJobs(limit: queue.lane.concurrency - running) {
                            running += 1
                            group.addTask {
                                try await begin(job)
                                return .jobEnded
                            }
                        }
                    }
                    guard running > 0 else { break }
                    if running < queue.lane.concurrency, !isPausing {
                        isPausing = true
                        group.addTask {
                            try? await Task.sleep(for: .milliseconds(Limits.idleCapacityPollMilliseconds))
                            return .pauseEnded
                        }
                    }
                    switch try await group.next() {
                    case .jobEnded: running -= 1
                    case .pauseEnded: isPausing = false
                    case nil: break
                    }
                }
                // Ends a pause. Jobs run only if this task is cancelled, which has cancelled the group already.
                group.cancelAll()
                try await group.waitForAll()
            }
        } catch {
            logUnreadable(error)
        }
    }

    /// A reason to lease further jobs.
    private enum Wake {
        case jobEnded
        case pauseEnded
    }

    /// Leases due jobs. An error of the database is logged; it mustn't cancel the jobs that run.
    private func leaseDueJobs(limit: Int) async -> [LeasedJob] {
        do {
            while true {
                guard database.status.isClockRight else { return [] }
                let now = clock.now
                // This read avoids a write for an empty queue.
                let next = try await database.read { [queue] tx in try queue.nextDue(in: tx) }
                guard let next, next <= now else { return [] }
                let result = try await database.write { [queue] tx in try queue.lease(limit: limit, now: now, in: tx) }
                if !result.jobs.isEmpty || !result.moreMayBeDue { return result.jobs }
            }
        } catch {
            logUnreadable(error)
            return []
        }
    }

    /// Attempts a job in a task of its own, which is cancelled with the worker's only if it needn't be finished.
    private func begin(_ job: LeasedJob) async throws {
        let task = Task { await attempt(job) }
        let result = await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            if !finishesAttempts { task.cancel() }
        }
        try await Task { try await end(job, result) }.value
    }

    private func attempt(_ job: LeasedJob) async -> Result<JobCompletion, any Error> {
        do {
            return .success(try await performInLease(job))
        } catch {
            // The worker stops.
            guard !Task.isCancelled else { return .success(JobCompletion(nextAt: clock.now)) }
            return .failure(error)
        }
    }

    private func end(_ job: LeasedJob, _ result: Result<JobCompletion, any Error>) async throws {
        do {
            let completion = try result.get()
            let isComplete = try await database.write { [queue] tx in try queue.complete(job, completion, in: tx) }
            if !isComplete { logLostLease(of: job) }
        } catch {
            try await fail(job, by: error)
        }
    }

    /// Performs a job while another task renews its lease.
    private func performInLease(_ job: LeasedJob) async throws -> JobCompletion {
        try await withThrowingTaskGroup(of: JobCompletion?.self) { group in
            group.addTask { try await perform(job) }
            group.addTask {
                try await renew(job)
                return nil
            }
            defer { group.cancelAll() }
            while let result = try await group.next() {
                if let completion = result { return completion }
            }
            throw CancellationError()
        }
    }

    /// Renews a lease until the task is cancelled.
    /// - Throws: ``JobFailure/leaseLost``. Another error of the database isn't thrown, because the lease may still
    ///   last.
    private func renew(_ job: LeasedJob) async throws {
        let renewalsPerLease = 3.0
        while true {
            guard (try? await Task.sleep(for: .seconds(Double(queue.lane.leaseSeconds) / renewalsPerLease))) != nil
            else { return }
            do {
                let now = clock.now
                try await database.write { [queue] tx in try queue.renew(job, now: now, in: tx) }
            } catch let failure as JobFailure {
                throw failure
            } catch {
                queue.logger.warning("A lease could not be renewed", metadata: metadata(of: job))
            }
        }
    }

    private func fail(_ job: LeasedJob, by error: any Error) async throws {
        let now = clock.now
        let chance = queue.random.uint64()
        let outcome = try await database.write { [queue] tx in
            try queue.fail(job, by: error, chance: chance, now: now, in: tx)
        }
        guard outcome != .leaseLost else { return logLostLease(of: job) }
        queue.countFailure()
        var metadata = self.metadata(of: job)
        metadata["error"] = "\(error)"
        switch outcome {
        case .postponed: queue.logger.warning("A job failed; it is tried again", metadata: metadata)
        case .dead: queue.logger.error("A job failed its last attempt", metadata: metadata)
        case .leaseLost: break
        }
    }

    private func logUnreadable(_ error: any Error) {
        queue.logger.error(
            "The job queue could not be read", metadata: ["lane": "\(queue.lane.name)", "error": "\(error)"])
    }

    private func logLostLease(of job: LeasedJob) {
        queue.logger.warning("The lease of a job was lost, or the job was deleted", metadata: metadata(of: job))
    }

    private func metadata(of job: LeasedJob) -> Logger.Metadata {
        ["lane": "\(queue.lane.name)", "job": "\(job.id)", "kind": "\(job.kind)", "attempt": "\(job.attempt)"]
    }
}
