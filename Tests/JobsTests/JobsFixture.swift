import Kernel
import Storage
import Synchronization
import TestSupport
import Testing

@testable import Jobs

/// A lane with a worker that records its jobs, and can fail.
struct JobsFixture: Sendable {
    static let firstPauseSeconds: Int64 = 30
    static let longestPauseSeconds: Int64 = 600

    let database: Database
    let clock: TestClock
    let queue: JobQueue
    let work = RecordedWork()

    init(
        _ database: Database, clock: TestClock = TestClock(), lane: String = "sample", capacity: Int = 10,
        concurrency: Int = 1, leaseSeconds: Int64 = 60, attempts: Int? = nil, retainsDeadPayloads: Bool = true,
        seed: UInt64 = 1
    ) {
        self.database = database
        self.clock = clock
        queue = JobQueue(
            lane: JobLane(
                name: lane, capacity: capacity, concurrency: concurrency, leaseSeconds: leaseSeconds,
                backOff: ExponentialBackOff(
                    firstMilliseconds: Self.firstPauseSeconds * 1_000,
                    maximumMilliseconds: Self.longestPauseSeconds * 1_000),
                attemptsMaximum: attempts, retainsDeadPayloads: retainsDeadPayloads),
            random: SeededRandom(seed: seed), logger: .silent)
    }

    /// Returns the same lane in another process.
    func neighbour() -> JobsFixture {
        JobsFixture(database, clock: clock, lane: queue.lane.name, seed: 2)
    }

    var worker: JobWorker {
        JobWorker(queue: queue, database: database, clock: clock, pollSeconds: 3_600) { [work] job in
            try work.perform(job)
            return .done
        }
    }

    /// Returns a worker that does other work.
    func worker(_ perform: @escaping @Sendable (LeasedJob) async throws -> JobCompletion) -> JobWorker {
        JobWorker(queue: queue, database: database, clock: clock, pollSeconds: 3_600, perform: perform)
    }

    var dead: DeadJobService { DeadJobService(database: database, queues: [queue], clock: clock) }

    /// Enqueues a job that expires after some seconds.
    @discardableResult
    func enqueue(_ payload: UInt8 = 1, name: String? = nil, seconds: Int64 = 3_600) async throws -> Bool {
        let now = clock.now
        return try await database.write { [queue] tx in
            try queue.enqueue(
                NewJob(
                    kind: "sample", subject: "box \(payload)", name: name, payload: [payload],
                    expiresAt: now.adding(seconds: seconds)), now: now, in: tx)
        }
    }

    func lease() async throws -> LeasedJob? {
        let now = clock.now
        return try await database.write { [queue] tx in try queue.lease(limit: 1, now: now, in: tx).jobs.first }
    }

    func finish(_ job: LeasedJob) async throws -> Bool {
        try await database.write { [queue] tx in try queue.complete(job, in: tx) }
    }

    func fail(_ job: LeasedJob, by error: any Error, chance: UInt64 = 0) async throws -> JobQueue.Outcome {
        let now = clock.now
        return try await database.write { [queue] tx in
            try queue.fail(job, by: error, chance: chance, now: now, in: tx)
        }
    }

    func nextDue() async throws -> Instant? {
        try await database.read { [queue] tx in try queue.nextDue(in: tx) }
    }
}

/// An error whose description is secret.
struct SampleFailure: Error, CustomStringConvertible {
    var description: String { "a secret" }
}

/// Records the payloads of the performed jobs.
final class RecordedWork: Sendable {
    private let state = Mutex((payloads: [UInt8](), error: (any Error)?.none))
    let payloadStream: AsyncStream<UInt8>
    private let recording: AsyncStream<UInt8>.Continuation

    init() { (payloadStream, recording) = AsyncStream.makeStream() }

    var payloads: [UInt8] { state.withLock(\.payloads) }

    /// Makes every further job fail.
    func fail(by error: (any Error)?) { state.withLock { $0.error = error } }

    func perform(_ job: LeasedJob) throws {
        try state.withLock { state in
            if let error = state.error { throw error }
            state.payloads += job.payload
        }
        for byte in job.payload { recording.yield(byte) }
    }
}

func withJobs(
    _ engine: Engine, capacity: Int = 10, concurrency: Int = 1, leaseSeconds: Int64 = 60, attempts: Int? = nil,
    retainsDeadPayloads: Bool = true,
    _ body: (JobsFixture) async throws -> Void
) async throws {
    try await withDatabase(engine, migrations: JobQueue.migrations) { database in
        try await body(
            JobsFixture(
                database, capacity: capacity, concurrency: concurrency, leaseSeconds: leaseSeconds,
                attempts: attempts, retainsDeadPayloads: retainsDeadPayloads))
    }
}
