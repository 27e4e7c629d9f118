import Kernel
import Storage
import TestSupport
import Testing

@testable import Jobs

@Suite("Repeated jobs")
struct RepeatedJobTests {
    private static let intervalSeconds: Int64 = 1_000

    @Test(
        "Repeated jobs are enqueued once by all workers, and those that are added later, too",
        arguments: Engine.allCases)
    func once(engine: Engine) async throws {
        // The lane has room for exactly these jobs.
        try await withJobs(engine, capacity: 2) { fixture in
            let jobs = ["daily", "hourly"].map { name in
                NewJob(kind: "sample", name: name, payload: [1], expiresAt: NewJob.endless)
            }
            for count in 1...2 {
                for fixture in [fixture, fixture.neighbour()] {
                    let worker = JobWorker(
                        queue: fixture.queue, database: fixture.database, clock: fixture.clock,
                        repeatedJobs: Array(jobs.prefix(count)), perform: { _ in .done })
                    for _ in 0..<2 {
                        fixture.clock.advance(seconds: 1)
                        try await worker.enqueueRepeatedJobs()
                    }
                }
                #expect(try await fixture.database.count("job") == count)
            }
        }
    }

    @Test("A job that is due before the time to which it was expedited is repeated then", arguments: Engine.allCases)
    func expeditingBeforeAttempt(engine: Engine) async throws {
        try await withJobs(engine) { fixture in
            try await fixture.enqueue(1)
            let requested = fixture.clock.now.adding(seconds: 20)
            try await fixture.expedite(to: requested)
            let nextAt = fixture.clock.now.adding(seconds: Self.intervalSeconds)
            let worker = fixture.worker { _ in JobCompletion(nextAt: nextAt) }
            await worker.performDueJobs()
            #expect(try await fixture.nextDue() == requested)
            fixture.clock.set(requested)
            await worker.performDueJobs()
            #expect(try await fixture.nextDue() == nextAt)
        }
    }

    @Test("Expediting brings a job forward, but never delays it", arguments: Engine.allCases)
    func expediting(engine: Engine) async throws {
        try await withJobs(engine) { fixture in
            try await fixture.enqueue(1)
            let start = fixture.clock.now
            let nextAt = start.adding(seconds: Self.intervalSeconds)
            await fixture.worker { _ in JobCompletion(nextAt: nextAt) }.performDueJobs()
            #expect(try await fixture.nextDue() == nextAt)
            for seconds: Int64 in [10, 20] {
                try await fixture.expedite(to: start.adding(seconds: seconds))
                #expect(try await fixture.nextDue() == start.adding(seconds: 10))
            }
        }
    }

    @Test(
        "A job that is expedited during its attempt keeps its lease, and is repeated at that time",
        arguments: Engine.allCases)
    func expeditingDuringAttempt(engine: Engine) async throws {
        try await withJobs(engine, leaseSeconds: 60) { fixture in
            try await fixture.enqueue(1)
            let start = fixture.clock.now
            let job = try #require(try await fixture.lease())
            for seconds: Int64 in [20, 5, 30] { try await fixture.expedite(to: start.adding(seconds: seconds)) }
            fixture.clock.advance(seconds: 10)
            #expect(try await fixture.neighbour().lease() == nil)
            let completion = JobCompletion(nextAt: start.adding(seconds: Self.intervalSeconds))
            #expect(try await fixture.complete(job, completion))
            #expect(try await fixture.nextDue() == start.adding(seconds: 5))
            // The next attempt has its own time.
            let next = try #require(try await fixture.lease())
            #expect(try await fixture.complete(next, completion))
            #expect(try await fixture.nextDue() == start.adding(seconds: Self.intervalSeconds))
        }
    }

    @Test(
        "A job that is deleted by its name isn't performed, and its attempt changes nothing", arguments: Engine.allCases
    )
    func deletion(engine: Engine) async throws {
        try await withJobs(engine) { fixture in
            for number in 1...UInt8(3) { try await fixture.enqueue(number, name: "job \(number)") }
            let job = try #require(try await fixture.lease())
            try await fixture.database.write { [lane = fixture.queue.lane] tx in
                try lane.removeJobs(named: ["job 1", "job 2"], in: tx)
            }
            let completion = JobCompletion { _ in Issue.record("The job was deleted") }
            #expect(try await !fixture.complete(job, completion))
            await fixture.worker.performDueJobs()
            #expect(fixture.work.payloads == [3])
        }
    }

    @Test(
        "A worker that needn't finish its attempts releases its jobs when it stops", .timeLimit(.minutes(5)),
        arguments: Engine.allCases)
    func stopping(engine: Engine) async throws {
        try await withJobs(engine) { fixture in
            try await fixture.enqueue(1)
            let (starts, starting) = AsyncStream.makeStream(of: Void.self)
            let worker = JobWorker(
                queue: fixture.queue, database: fixture.database, clock: fixture.clock, finishesAttempts: false,
                perform: { _ in
                    starting.yield()
                    try await Task.sleep(for: .seconds(3_600))
                    return .done
                })
            let running = Task { await worker.run() }
            for await _ in starts { break }
            #expect(try await fixture.neighbour().lease() == nil)
            running.cancel()
            await running.value
            let job = try #require(try await fixture.neighbour().lease())
            #expect(job.attempt == 2)
            #expect(fixture.queue.status.failureCount == 0)
        }
    }

    @Test(
        "A running worker counts its lane while a job blocks it, without the age of that job", .timeLimit(.minutes(5)),
        arguments: Engine.allCases)
    func countingWhileBlocked(engine: Engine) async throws {
        try await withJobs(engine) { fixture in
            try await fixture.enqueue(1)
            let (starts, starting) = AsyncStream.makeStream(of: Void.self)
            let (ends, ending) = AsyncStream.makeStream(of: Void.self)
            let worker = fixture.worker { _ in
                starting.yield()
                for await _ in ends { break }
                return .done
            }
            let running = Task { await worker.run() }
            for await _ in starts { break }
            fixture.clock.advance(seconds: 10)
            let neighbour = fixture.neighbour()
            for number in 2...UInt8(4) { try await neighbour.enqueue(number) }
            // The worker counts every few seconds.
            while fixture.queue.status.waitingCount < 4 { try await Task.sleep(for: .milliseconds(20)) }
            #expect(fixture.queue.status.oldestQueuedAt == fixture.clock.now)
            ending.finish()
            running.cancel()
            await running.value
        }
    }
}

extension JobsFixture {
    fileprivate func complete(_ job: LeasedJob, _ completion: JobCompletion) async throws -> Bool {
        try await database.write { [queue] tx in try queue.complete(job, completion, in: tx) }
    }

    fileprivate func expedite(to instant: Instant) async throws {
        try await database.write { [lane = queue.lane] tx in try lane.expedite(to: instant, in: tx) }
    }
}
