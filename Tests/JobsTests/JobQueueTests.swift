import Kernel
import Storage
import TestSupport
import Testing

@testable import Jobs

@Suite("Job queue")
struct JobQueueTests {
    @Test("A job is enqueued with its change, and not if the change fails", arguments: Engine.allCases)
    func transaction(engine: Engine) async throws {
        try await withJobs(engine) { fixture in
            let now = fixture.clock.now
            let job = NewJob(kind: "sample", payload: [7], expiresAt: now.adding(seconds: 60))
            await #expect(throws: SampleFailure.self) {
                try await fixture.database.write { [queue = fixture.queue] tx in
                    _ = try queue.enqueue(job, now: now, in: tx)
                    throw SampleFailure()
                }
            }
            #expect(try await fixture.nextDue() == nil)
            try await fixture.enqueue(7)
            #expect(try await fixture.nextDue() == now)
            await fixture.worker.performDueJobs()
            #expect(fixture.work.payloads == [7])
            #expect(try await fixture.nextDue() == nil)
        }
    }

    @Test("Workers that contend perform each job once", arguments: Engine.allCases)
    func contention(engine: Engine) async throws {
        try await withJobs(engine, capacity: 40) { fixture in
            for number in 0..<UInt8(40) { try await fixture.enqueue(number) }
            let neighbour = fixture.neighbour()
            await withTaskGroup { group in
                group.addTask { await fixture.worker.performDueJobs() }
                group.addTask { await neighbour.worker.performDueJobs() }
            }
            // A worker skips the jobs that the other one is leasing at that moment.
            await fixture.worker.performDueJobs()
            #expect((fixture.work.payloads + neighbour.work.payloads).sorted() == Array(0..<40))
        }
    }

    @Test("A leased job is taken over only after its lease", arguments: Engine.allCases)
    func lease(engine: Engine) async throws {
        try await withJobs(engine) { fixture in
            try await fixture.enqueue()
            let job = try #require(try await fixture.lease())
            #expect(job.attempt == 1)
            #expect(try await fixture.lease() == nil)
            #expect(try await fixture.nextDue() == fixture.clock.now.adding(seconds: 60))
            fixture.clock.advance(seconds: 60)
            #expect(try await fixture.lease()?.attempt == 2)
        }
    }

    @Test("A worker that lost its lease can't finish, postpone or change the job", arguments: Engine.allCases)
    func lostLease(engine: Engine) async throws {
        try await withJobs(engine) { fixture in
            try await fixture.enqueue()
            let first = try #require(try await fixture.lease())
            fixture.clock.advance(seconds: 60)
            let second = try #require(try await fixture.lease())
            let due = try await fixture.nextDue()
            #expect(try await !fixture.finish(first))
            #expect(try await fixture.fail(first, by: SampleFailure()) == .leaseLost)
            #expect(try await fixture.fail(first, by: JobFailure("final", isFinal: true)) == .leaseLost)
            await #expect(throws: JobFailure.leaseLost) {
                try await fixture.database.write { [queue = fixture.queue] tx in
                    try queue.replacePayload(of: first, by: [9], in: tx)
                }
            }
            #expect(try await fixture.nextDue() == due)
            try await fixture.database.write { [queue = fixture.queue] tx in
                try queue.replacePayload(of: second, by: [8], in: tx)
            }
            fixture.clock.advance(seconds: 60)
            let third = try #require(try await fixture.lease())
            #expect(third.payload == [8])
            #expect(try await fixture.finish(third))
            #expect(try await fixture.nextDue() == nil)
        }
    }

    @Test(
        "Pauses double up to the longest, and the jitter is at most half of a pause", arguments: Engine.allCases)
    func backOff(engine: Engine) async throws {
        try await withJobs(engine) { fixture in
            for chance in [UInt64(0), 7_777, .max] {
                try await fixture.enqueue(seconds: 1_000_000)
                var longest = Double(JobsFixture.firstPauseSeconds)
                for _ in 0..<8 {
                    let job = try #require(try await fixture.lease())
                    let outcome = try await fixture.fail(job, by: SampleFailure(), chance: chance)
                    guard case .postponed(let next) = outcome else {
                        Issue.record("not postponed")
                        return
                    }
                    let pause = next.seconds(since: fixture.clock.now)
                    #expect(pause >= longest * 0.5 && pause <= longest)
                    if chance == 0 { #expect(pause == longest * 0.5) }
                    #expect(try await fixture.nextDue() == next)
                    longest = min(longest * 2, Double(JobsFixture.longestPauseSeconds))
                    fixture.clock.set(next)
                }
                _ = try await fixture.finish(try #require(try await fixture.lease()))
            }
        }
    }

    @Test("A full lane accepts no job, and doesn't affect another lane", arguments: Engine.allCases)
    func capacity(engine: Engine) async throws {
        try await withJobs(engine, capacity: 2) { fixture async throws in
            #expect(try await fixture.enqueue(1))
            #expect(try await fixture.enqueue(2))
            #expect(try await !fixture.enqueue(3))
            let other = JobsFixture(fixture.database, clock: fixture.clock, lane: "other", capacity: 2, seed: 3)
            #expect(try await other.enqueue(4))
            await other.worker.performDueJobs()
            #expect(other.work.payloads == [4])
            await fixture.worker.performDueJobs()
            #expect(fixture.work.payloads.sorted() == [1, 2])
            #expect(try await fixture.enqueue(5))
        }
    }

    @Test(
        "A worker performs as many jobs at once as its lane allows", .timeLimit(.minutes(5)), arguments: Engine.allCases
    )
    func concurrency(engine: Engine) async throws {
        try await withJobs(engine, concurrency: 3) { fixture in
            for number in 1...UInt8(5) { try await fixture.enqueue(number) }
            let (arrivals, arriving) = AsyncStream.makeStream(of: AsyncStream<Void>.Continuation.self)
            let working = Task {
                await fixture.worker { _ in
                    let (releases, releasing) = AsyncStream.makeStream(of: Void.self)
                    arriving.yield(releasing)
                    for await _ in releases { break }
                    return .done
                }.performDueJobs()
            }
            var jobs = arrivals.makeAsyncIterator()
            var held: [AsyncStream<Void>.Continuation] = []
            for _ in 0..<3 { held.append(try #require(await jobs.next())) }
            #expect(try await fixture.database.count("job WHERE attempts = 1") == 3)
            for _ in 0..<2 {
                held.removeFirst().yield()
                held.append(try #require(await jobs.next()))
            }
            for release in held { release.yield() }
            await working.value
            #expect(try await fixture.database.count("job") == 0)
        }
    }

    @Test(
        "A job that is enqueued while another one runs doesn't wait for its end", .timeLimit(.minutes(5)),
        arguments: Engine.allCases)
    func idleCapacity(engine: Engine) async throws {
        try await withJobs(engine, concurrency: 2) { fixture in
            try await fixture.enqueue(1)
            let (releases, releasing) = AsyncStream.makeStream(of: Void.self)
            let worker = fixture.worker { [work = fixture.work] job in
                try work.perform(job)
                if job.payload == [1] {
                    for await _ in releases { break }
                }
                return .done
            }
            let working = Task { await worker.performDueJobs() }
            var payloads = fixture.work.payloadStream.makeAsyncIterator()
            #expect(await payloads.next() == 1)
            try await fixture.enqueue(2)
            let deadline = ContinuousClock.now + .seconds(60)
            while try await fixture.database.count("job") == 2, ContinuousClock.now < deadline {
                try await Task.sleep(for: .milliseconds(20))
            }
            #expect(fixture.work.payloads == [1, 2])
            #expect(try await fixture.database.count("job WHERE attempts = 1") == 1)
            releasing.yield()
            await working.value
            #expect(try await fixture.database.count("job") == 0)
        }
    }

    @Test(
        "A long job's lease is renewed; a job whose lease is lost is cancelled", .timeLimit(.minutes(5)),
        arguments: Engine.allCases)
    func renewal(engine: Engine) async throws {
        try await withJobs(engine, leaseSeconds: 1) { fixture in
            try await fixture.enqueue(1)
            let worker = fixture.worker { [database = fixture.database, clock = fixture.clock] _ in
                clock.advance(seconds: 10)
                while try await database.count("job WHERE due_at > \(clock.now.millisecondsSince1970)") == 0 {
                    try await Task.sleep(for: .milliseconds(20))
                }
                return .done
            }
            await worker.performDueJobs()
            #expect(try await fixture.database.count("job") == 0)

            try await fixture.enqueue(2)
            let interrupted = fixture.worker { [database = fixture.database] _ in
                try await database.write { tx in try tx.execute("UPDATE job SET attempts = 7") }
                try await Task.sleep(for: .seconds(60))
                return .done
            }
            await interrupted.performDueJobs()
            #expect(try await fixture.database.count("job WHERE attempts = 7 AND last_error IS NULL") == 1)
        }
    }

    @Test("A job that is to be repeated is due again, and its earlier failures don't count", arguments: Engine.allCases)
    func repetition(engine: Engine) async throws {
        try await withJobs(engine, attempts: 2) { fixture in
            try await fixture.enqueue(1)
            let failing = fixture.worker { _ in throw SampleFailure() }
            let next = fixture.clock.now.adding(seconds: 1_000)
            await failing.performDueJobs()
            fixture.clock.advance(seconds: JobsFixture.firstPauseSeconds)
            await fixture.worker { _ in
                JobCompletion(nextAt: next) { tx in try tx.execute("UPDATE job SET subject = 'repeated'") }
            }.performDueJobs()
            #expect(try await fixture.nextDue() == next)
            #expect(try await fixture.database.count("job WHERE subject = 'repeated'") == 1)
            fixture.clock.set(next)
            await failing.performDueJobs()
            #expect(try await fixture.dead.list(lane: "sample").isEmpty)
        }
    }

    @Test("A named job is enqueued once, until it is done or dead", arguments: Engine.allCases)
    func names(engine: Engine) async throws {
        try await withJobs(engine, attempts: 1) { fixture in
            for _ in 0..<2 { try await fixture.enqueue(1, name: "one") }
            try await fixture.enqueue(2, name: "two")
            #expect(try await fixture.database.count("job") == 2)
            #expect(fixture.queue.status.waitingCount == 2)
            fixture.work.fail(by: SampleFailure())
            await fixture.worker.performDueJobs()
            fixture.work.fail(by: nil)
            let deadJob = try #require(try await fixture.dead.list(lane: "sample").first { $0.subject == "box 1" })
            try await fixture.enqueue(1, name: "one")
            await #expect(throws: AppError.notFound) { try await fixture.dead.retry(deadJob.id) }
            await fixture.worker.performDueJobs()
            try await fixture.dead.retry(deadJob.id)
            await fixture.worker.performDueJobs()
            #expect(fixture.work.payloads == [1, 1])
        }
    }

    @Test("A failure can ask for a longer pause, for the job or for its lane", arguments: Engine.allCases)
    func requestedPause(engine: Engine) async throws {
        try await withJobs(engine) { fixture in
            for number in 1...UInt8(2) { try await fixture.enqueue(number, seconds: 1_000_000) }
            let now = fixture.clock.now
            let asked = JobsFixture.longestPauseSeconds + 1
            let job = try #require(try await fixture.lease())
            _ = try await fixture.fail(job, by: JobFailure("busy", retryAfterMilliseconds: asked * 1_000))
            #expect(try await fixture.nextDue() == now)
            let other = try #require(try await fixture.lease())
            let busy = JobFailure("busy", retryAfterMilliseconds: 2 * asked * 1_000, pausesLane: true)
            _ = try await fixture.fail(other, by: busy)
            #expect(try await fixture.nextDue() == now.adding(seconds: 2 * asked))
        }
    }

    @Test("A lane's status counts its jobs, their age, dead jobs and failures", arguments: Engine.allCases)
    func status(engine: Engine) async throws {
        try await withJobs(engine, attempts: 1) { fixture in
            let now = fixture.clock.now
            try await fixture.enqueue(1)
            fixture.work.fail(by: SampleFailure())
            await fixture.worker.performDueJobs()
            fixture.clock.advance(seconds: 5)
            let neighbour = fixture.neighbour()
            for number in 2...UInt8(3) { try await neighbour.enqueue(number) }
            #expect(fixture.queue.status.waitingCount == 0)
            try await fixture.database.read { [queue = fixture.queue, now = fixture.clock.now] tx in
                try queue.count(now: now, in: tx)
            }
            let status = fixture.queue.status
            #expect(status.waitingCount == 2)
            #expect(status.oldestQueuedAt == now.adding(seconds: 5))
            #expect(status.deadCount == 1)
            #expect(status.failureCount == 1)
        }
    }

    @Test(
        "A worker performs a job right after its commit, and after a change of another process",
        .timeLimit(.minutes(5)), arguments: Engine.allCases)
    func wakes(engine: Engine) async throws {
        try await withDatabaseURL(engine, migrations: JobQueue.migrations) { url in
            let one = try await Database.open(
                url, migrations: JobQueue.migrations, logger: .silent, clock: TestClock())
            let two = try await Database.open(
                url, migrations: JobQueue.migrations, logger: .silent, clock: TestClock())
            let fixture = JobsFixture(one)
            let running = Task { await fixture.worker.run() }
            var payloads = fixture.work.payloadStream.makeAsyncIterator()
            try await fixture.enqueue(1)
            #expect(await payloads.next() == 1)
            let neighbour = JobsFixture(two, clock: fixture.clock, seed: 2)
            let now = fixture.clock.now
            let person = PersonID(at: now, random: SeededRandom(seed: 7))
            try await two.write { [queue = neighbour.queue] tx in
                _ = try queue.enqueue(
                    NewJob(kind: "sample", payload: [2], expiresAt: now.adding(seconds: 60)), now: now, in: tx)
                try tx.publish(
                    ChangeEvent(audience: person, kind: "box", resource: "/boxes/1", version: 1, at: now))
            }
            #expect(await payloads.next() == 2)
            running.cancel()
            await running.value
            await one.close()
            await two.close()
        }
    }
}
