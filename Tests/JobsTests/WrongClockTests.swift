import Kernel
import Storage
import TestSupport
import Testing

@testable import Jobs

@Suite("Jobs of a node whose clock is wrong")
struct WrongClockTests {
    private static let hourSeconds: Int64 = 3_600

    @Test("A worker begins and enqueues no job", arguments: [-hourSeconds, hourSeconds])
    func noJobBegins(aheadBySeconds: Int64) async throws {
        try await withWrongClock(aheadBySeconds) { fixture in
            try await fixture.enqueue(1)
            // Due by either clock.
            fixture.clock.advance(seconds: 2 * Self.hourSeconds - 1)
            await fixture.worker.performDueJobs()
            let repeated = JobWorker(
                queue: fixture.queue, database: fixture.database, clock: fixture.clock,
                repeatedJobs: [NewJob(kind: "sample", name: "hourly", payload: [2], expiresAt: NewJob.endless)],
                perform: { [work = fixture.work] job in
                    try work.perform(job)
                    return .done
                })
            let running = Task { await repeated.run() }
            try await Task.sleep(for: .milliseconds(300))
            running.cancel()
            await running.value
            #expect(fixture.work.payloads == [])
            #expect(try await fixture.database.count("job") == 1)
        }
    }

    @Test("The times of jobs are those of the database's clock")
    func databaseTime() async throws {
        try await withWrongClock(Self.hourSeconds) { fixture in
            let ahead = fixture.clock.now
            let clock = DatabaseClock(database: fixture.database, clock: fixture.clock)
            #expect(abs(clock.now.seconds(since: ahead) + Double(Self.hourSeconds)) < 2)
        }
    }

    private func withWrongClock(_ aheadBySeconds: Int64, _ body: (JobsFixture) async throws -> Void) async throws {
        let machineClock = OffsetClock(aheadBySeconds: aheadBySeconds)
        try await withDatabase(.postgres, migrations: JobQueue.migrations, machineClock: machineClock) { database in
            #expect(!database.status.isClockRight)
            try await body(JobsFixture(database))
        }
    }
}
