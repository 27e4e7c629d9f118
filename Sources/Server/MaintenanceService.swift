import Jobs
import Kernel
import Logging
import ServiceLifecycle
import Storage

/// Performs the periodic work of all nodes: deletes old data, expires commands, meets deadlines and archives positions.
/// It is one job that never ends. The node that has its lease does the work; when that node stops or dies, another one
/// takes it over. So periodic work costs an idle server no write except the renewal of the lease.
package struct MaintenanceService: Service {
    /// Its only job is always being performed.
    static let lane = JobLane(
        name: "maintenance", capacity: 1, leaseSeconds: Limits.maintenanceLeaseSeconds,
        backOff: ExponentialBackOff(firstMilliseconds: 1_000, maximumMilliseconds: 60_000), retainsDeadPayloads: true)

    private let queue: JobQueue
    private let database: Database
    private let clock: any WallClock
    private let random: any RandomSource
    private let sequences: [MaintenanceSequence]

    package init(_ services: Services) {
        self.init(
            queue: services.maintenance, database: services.database, clock: services.clock, random: services.random,
            sequences: MaintenanceSequence.all(of: services))
    }

    init(
        queue: JobQueue, database: Database, clock: any WallClock, random: any RandomSource,
        sequences: [MaintenanceSequence]
    ) {
        self.queue = queue
        self.database = database
        self.clock = clock
        self.random = random
        self.sequences = sequences
    }

    /// Takes part in the maintenance until the server stops.
    package func run() async throws {
        let worker = JobWorker(
            queue: queue, database: database, clock: clock, finishesAttempts: false,
            repeatedJobs: [
                NewJob(kind: "maintenance", name: "maintenance", payload: [], expiresAt: NewJob.endless)
            ],
            perform: { _ in
                await performTasks()
                return JobCompletion(nextAt: DatabaseClock(database: database, clock: clock).now)
            })
        await cancelWhenGracefulShutdown { await worker.run() }
    }

    /// Performs each sequence at its interval until the task is cancelled.
    private func performTasks() async {
        await withTaskGroup { group in
            for sequence in sequences { group.addTask { await performRepeatedly(sequence) } }
        }
    }

    /// After failures, a sequence pauses for longer than its interval.
    private func performRepeatedly(_ sequence: MaintenanceSequence) async {
        var failures = 0
        while !Task.isCancelled {
            // With a wrong clock, data would expire early.
            if database.status.isClockRight { failures = await perform(sequence) ? 0 : failures + 1 }
            let pause = sequence.pauseMilliseconds(afterFailures: failures, chance: random.uint64())
            try? await Task.sleep(for: .milliseconds(pause))
        }
    }

    /// Performs all tasks once, one after another.
    package func performAll() async {
        for sequence in sequences { _ = await perform(sequence) }
    }

    /// - Returns: false if a task failed. The others are performed nevertheless.
    private func perform(_ sequence: MaintenanceSequence) async -> Bool {
        var isSuccess = true
        for task in sequence.tasks {
            if await !perform(task) { isSuccess = false }
        }
        return isSuccess
    }

    /// - Returns: false after a failure, which is logged and counted.
    private func perform(_ task: MaintenanceTask) async -> Bool {
        do {
            try await task.work()
            return true
        } catch {
            guard !Task.isCancelled else { return true }
            queue.countFailure()
            queue.logger.warning("Maintenance failed", metadata: ["task": "\(task.name)", "error": "\(error)"])
            return false
        }
    }
}
