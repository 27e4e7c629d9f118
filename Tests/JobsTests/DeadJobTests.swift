import Kernel
import Storage
import TestSupport
import Testing

@testable import Jobs

@Suite("Dead jobs")
struct DeadJobTests {
    @Test("An expired job isn't performed: it becomes a dead job", arguments: Engine.allCases)
    func expiry(engine: Engine) async throws {
        try await withJobs(engine) { fixture in
            try await fixture.enqueue(1, seconds: 60)
            try await fixture.enqueue(2, seconds: 61)
            fixture.clock.advance(seconds: 60)
            await fixture.worker.performDueJobs()
            #expect(fixture.work.payloads == [2])
            let deadJobs = try await fixture.dead.list(lane: "sample")
            #expect(deadJobs.map(\.subject) == ["box 1"])
            #expect(deadJobs.first?.lastError == nil)
            #expect(deadJobs.first?.attempts == 0)
        }
    }

    @Test("More expired jobs than one transaction handles don't stop the worker", arguments: Engine.allCases)
    func manyExpired(engine: Engine) async throws {
        try await withJobs(engine, capacity: 1_000) { fixture in
            let now = fixture.clock.now
            try await fixture.database.write { [queue = fixture.queue] tx in
                let jobs = (0...Limits.expiredJobsPerLease).map { number in
                    NewJob(kind: "sample", payload: [UInt8(number % 200)], expiresAt: now.adding(seconds: 1))
                }
                try queue.enqueue(jobs, now: now, in: tx)
            }
            fixture.clock.advance(seconds: 1)
            try await fixture.enqueue(201)
            await fixture.worker.performDueJobs()
            #expect(fixture.work.payloads == [201])
            #expect(fixture.queue.status.waitingCount == 0)
        }
    }

    @Test("A job isn't expired while its lease lasts", arguments: Engine.allCases)
    func expiryDuringLease(engine: Engine) async throws {
        try await withJobs(engine) { fixture in
            try await fixture.enqueue(1, seconds: 30)
            let job = try #require(try await fixture.lease())
            fixture.clock.advance(seconds: 31)
            #expect(try await fixture.lease() == nil)
            #expect(try await fixture.finish(job))
            #expect(try await fixture.dead.list(lane: "sample").isEmpty)
        }
    }

    @Test(
        "A job that fails its last attempt stays with its last error, without the error's description",
        arguments: Engine.allCases)
    func lastAttempt(engine: Engine) async throws {
        try await withJobs(engine, attempts: 2) { fixture in
            try await fixture.enqueue(1)
            fixture.work.fail(by: SampleFailure())
            await fixture.worker.performDueJobs()
            #expect(try await fixture.dead.list(lane: "sample").isEmpty)
            fixture.clock.advance(seconds: JobsFixture.firstPauseSeconds)
            await fixture.worker.performDueJobs()
            #expect(fixture.queue.status.failureCount == 2)
            let deadJob = try #require(try await fixture.dead.list(lane: "sample").first)
            #expect(deadJob.lastError == "SampleFailure")
            #expect(deadJob.attempts == 2)
            #expect(deadJob.diedAt == fixture.clock.now)
            #expect(deadJob.isRetryable)
            #expect(try await fixture.nextDue() == nil)
        }
    }

    @Test("A job whose next attempt would be after its expiry, or useless, is dead at once", arguments: Engine.allCases)
    func noFurtherAttempt(engine: Engine) async throws {
        try await withJobs(engine) { fixture in
            try await fixture.enqueue(1, seconds: 15)
            fixture.work.fail(by: SampleFailure())
            await fixture.worker.performDueJobs()
            fixture.clock.advance(seconds: 1)
            try await fixture.enqueue(2)
            fixture.work.fail(by: JobFailure("The address is unsafe", isFinal: true))
            await fixture.worker.performDueJobs()
            let errors = try await fixture.dead.list(lane: "sample").map(\.lastError)
            #expect(errors == ["The address is unsafe", "SampleFailure"])
        }
    }

    @Test(
        "H-09: A retried job gets all attempts and its full time again, and old leases stay lost",
        arguments: Engine.allCases)
    func retry(engine: Engine) async throws {
        try await withJobs(engine, attempts: 1) { fixture in
            try await fixture.enqueue(1, seconds: 100)
            let first = try #require(try await fixture.lease())
            #expect(try await fixture.fail(first, by: SampleFailure()) == .dead)
            fixture.clock.advance(seconds: 1_000)
            let deadJob = try #require(try await fixture.dead.list(lane: "sample").first)
            try await fixture.dead.retry(deadJob.id)
            #expect(try await fixture.dead.list(lane: "sample").isEmpty)
            let second = try #require(try await fixture.lease())
            #expect(second.attempt == 2)
            #expect(second.expiresAt == fixture.clock.now.adding(seconds: 100))
            #expect(try await !fixture.finish(first))
            #expect(try await fixture.finish(second))
            await #expect(throws: AppError.notFound) { try await fixture.dead.retry(deadJob.id) }
        }
    }

    @Test("A dead job without its payload can't be retried; a full lane rejects a retry", arguments: Engine.allCases)
    func retryRejected(engine: Engine) async throws {
        try await withJobs(engine, capacity: 1, attempts: 1, retainsDeadPayloads: false) { fixture in
            try await fixture.enqueue(1)
            fixture.work.fail(by: SampleFailure())
            await fixture.worker.performDueJobs()
            let deadJob = try #require(try await fixture.dead.list(lane: "sample").first)
            #expect(!deadJob.isRetryable)
            #expect(try await fixture.database.count("job WHERE payload IS NOT NULL") == 0)
            await #expect(throws: AppError.notFound) { try await fixture.dead.retry(deadJob.id) }
            try await fixture.enqueue(2)
            let error = await #expect(throws: AppError.self) { try await fixture.dead.retry(deadJob.id) }
            #expect(error?.code == .unavailable)
        }
    }

    @Test("Dead jobs are deleted after their days, and above their number, in steps", arguments: Engine.allCases)
    func pruning(engine: Engine) async throws {
        try await withJobs(engine) { fixture in
            let now = fixture.clock.now
            try await insertDead(count: Limits.deadJobsPerStep + 10, at: now, fixture)
            fixture.clock.advance(seconds: 1)
            try await insertDead(count: 3, at: fixture.clock.now, fixture)
            try await fixture.dead.prune()
            #expect(try await fixture.database.count("job") == Limits.deadJobsPerStep + 13)
            fixture.clock.set(now.adding(seconds: Limits.deadJobDays * 24 * 60 * 60 + 1))
            let before = fixture.clock.now.adding(seconds: -Limits.deadJobDays * 24 * 60 * 60)
            let first = try await fixture.database.write { [queue = fixture.queue] tx in
                try DeadJobStore.prune(queue.lane, before: before, keeping: 1_000, in: tx)
            }
            #expect(first == Limits.deadJobsPerStep)
            try await fixture.dead.prune()
            #expect(try await fixture.database.count("job") == 3)
            fixture.clock.advance(seconds: 1)
            try await insertDead(count: 2, at: fixture.clock.now, fixture)
            let surplus = try await fixture.database.write { [queue = fixture.queue] tx in
                try DeadJobStore.prune(queue.lane, before: now, keeping: 2, in: tx)
            }
            #expect(surplus == 3)
        }
    }

    @Test("Dead jobs are listed by page, the newest first", arguments: Engine.allCases)
    func pages(engine: Engine) async throws {
        try await withJobs(engine) { fixture in
            try await insertDead(count: Limits.deadJobPage + 5, at: fixture.clock.now, fixture)
            let first = try await fixture.dead.list(lane: "sample")
            #expect(first.count == Limits.deadJobPage)
            let second = try await fixture.dead.list(lane: "sample", after: first.last)
            #expect(second.count == 5)
            #expect(Set((first + second).map(\.id)).count == Limits.deadJobPage + 5)
            await #expect(throws: AppError.notFound) { try await fixture.dead.list(lane: "unknown") }
        }
    }

    private func insertDead(count: Int, at instant: Instant, _ fixture: JobsFixture) async throws {
        try await fixture.database.write { tx in
            for number in 0..<count {
                let id = ID<NewJob>(at: instant, series: Int64(number))
                try tx.execute(
                    """
                    INSERT INTO job (id, lane, kind, subject, due_at, queued_at, expires_at, dead_at) VALUES (
                        \(id), 'sample', 'sample', '', \(instant), \(instant), \(instant), \(instant)
                    )
                    """
                )
            }
        }
    }
}
