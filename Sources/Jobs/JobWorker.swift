package import Kernel
import Logging
package import Storage

/// Performs the jobs of one lane, one after another. Any number of nodes may do so on one database: each job is leased to
/// one worker. A worker that ends after its work and before the job is deleted leaves the job to be performed again.
package struct JobWorker: Sendable {
    private let queue: JobQueue
    private let database: Database
    private let clock: any WallClock
    private let pollSeconds: Int64
    private let perform: @Sendable (LeasedJob) async throws -> Void

    /// - Parameters:
    ///   - pollSeconds: the longest time until this worker finds a job of another process that published no event.
    ///   - perform: performs a job within its lease. It throws ``JobFailure`` or another error if the attempt failed.
    package init(
        queue: JobQueue, database: Database, clock: any WallClock, pollSeconds: Int64,
        perform: @escaping @Sendable (LeasedJob) async throws -> Void
    ) {
        self.queue = queue
        self.database = database
        self.clock = clock
        self.pollSeconds = pollSeconds
        self.perform = perform
    }

    /// Performs due jobs until the task is cancelled: after each commit that enqueued one in this process, when the
    /// outbox may have grown in any process, when the next job is due, and every `pollSeconds`. A job that has begun is
    /// finished.
    package func run() async {
        let changes = Task { [queue, changes = database.changes()] in
            for await _ in changes { queue.wake() }
        }
        var timer: Task<Void, Never>?
        defer {
            changes.cancel()
            timer?.cancel()
        }
        queue.wake()
        for await _ in queue.wakes {
            await performDueJobs()
            let pause = await secondsUntilNextRun()
            timer?.cancel()
            timer = Task { [queue] in
                guard (try? await Task.sleep(for: .seconds(pause))) != nil else { return }
                queue.wake()
            }
            try? await Task.sleep(for: .milliseconds(Limits.jobPauseMilliseconds))
        }
    }

    private func secondsUntilNextRun() async -> Double {
        guard let next = try? await database.read({ [queue] tx in try queue.nextDue(in: tx) }) else {
            return Double(pollSeconds)
        }
        return min(Double(pollSeconds), max(0, next.seconds(since: clock.now)))
    }

    /// Performs the jobs that are due. Errors of the database are logged; the jobs stay in the queue.
    package func performDueJobs() async {
        do {
            while !Task.isCancelled {
                let now = clock.now
                // This read avoids a write for an empty queue.
                guard let next = try await database.read({ [queue] tx in try queue.nextDue(in: tx) }), next <= now
                else { return }
                switch try await database.write({ [queue] tx in try queue.lease(now: now, in: tx) }) {
                case .nothing: return
                case .moreMayBeDue: continue
                case .leased(let job):
                    // A separate task, so that a server that stops finishes the job that it has begun.
                    try await Task { try await attempt(job) }.value
                }
            }
        } catch {
            queue.logger.error(
                "The job queue could not be read", metadata: ["lane": "\(queue.lane.name)", "error": "\(error)"])
        }
    }

    private func attempt(_ job: LeasedJob) async throws {
        let isFinished: Bool
        do {
            try await perform(job)
            isFinished = try await database.write { [queue] tx in try queue.finish(job, in: tx) }
        } catch {
            try await fail(job, by: error)
            return
        }
        if !isFinished { logLostLease(of: job) }
    }

    private func fail(_ job: LeasedJob, by error: any Error) async throws {
        queue.countFailure()
        let now = clock.now
        let chance = queue.nextChance()
        let outcome = try await database.write { [queue] tx in
            try queue.fail(job, by: error, chance: chance, now: now, in: tx)
        }
        var metadata = self.metadata(of: job)
        metadata["error"] = "\(error)"
        switch outcome {
        case .postponed: queue.logger.error("A job failed; it is tried again", metadata: metadata)
        case .dead: queue.logger.error("A job failed its last attempt", metadata: metadata)
        case .leaseLost: logLostLease(of: job)
        }
    }

    private func logLostLease(of job: LeasedJob) {
        queue.logger.warning("A job took longer than its lease; another worker has it", metadata: metadata(of: job))
    }

    private func metadata(of job: LeasedJob) -> Logger.Metadata {
        ["lane": "\(queue.lane.name)", "job": "\(job.id)", "kind": "\(job.kind)", "attempt": "\(job.attempt)"]
    }
}
