import Kernel
import Storage
import Synchronization
import TestSupport
import Testing

/// Work with given results that counts its runs.
private final class CountedWork: Sendable {
    struct Failure: Error {}

    let done: AsyncStream<Int>
    let failures = Mutex(0)
    private let tell: AsyncStream<Int>.Continuation
    private let count = Mutex(0)
    private let answer: @Sendable (Int) throws -> Instant?

    init(_ answer: @escaping @Sendable (Int) throws -> Instant?) {
        self.answer = answer
        (done, tell) = AsyncStream.makeStream()
    }

    func follow(_ database: Database, atLeastEvery seconds: Int64 = 3_600, clock: any WallClock = TestClock()) async {
        await database.workWhenDue(
            atLeastEvery: seconds, clock: clock,
            work: {
                let number = self.count.withLock { count in
                    count += 1
                    return count
                }
                defer { self.tell.yield(number) }
                return try self.answer(number)
            },
            failed: { _ in self.failures.withLock { $0 += 1 } })
        tell.finish()
    }
}

@Suite("Work when it is due")
struct WorkWhenDueTests {
    @Test(
        "Work runs at once and after each change, also one of another process", .timeLimit(.minutes(15)),
        arguments: Engine.allCases)
    func changes(engine: Engine) async throws {
        try await withDatabaseURL(engine, migrations: Samples.migrations) { url in
            let one = try await Database.open(url, migrations: Samples.migrations, logger: .silent, clock: TestClock())
            let two = try await Database.open(url, migrations: Samples.migrations, logger: .silent, clock: TestClock())
            let seen = AsyncStream.makeStream(of: Int.self)
            let following = Task {
                await one.workWhenDue(
                    atLeastEvery: 3_600, clock: TestClock(),
                    work: {
                        seen.continuation.yield(try await Samples.boxes(one).count)
                        return nil
                    }, failed: { _ in })
                seen.continuation.finish()
            }
            var counts = seen.stream.makeAsyncIterator()
            #expect(await counts.next() == 0)
            for (number, database) in [one, two].enumerated() {
                try await database.write { tx in
                    try Samples.addBox("\(number)", in: tx)
                    try tx.publish(Samples.event(Int64(number)))
                }
                while let count = await counts.next(), count <= number {}
            }
            following.cancel()
            while await counts.next() != nil {}
            await one.close()
            await two.close()
        }
    }

    @Test(
        "Work runs again at the time that it returned, and not before", .timeLimit(.minutes(15)),
        arguments: Engine.allCases)
    func times(engine: Engine) async throws {
        try await withSamples(engine) { database async throws in
            let clock = TestClock()
            // Two runs return a time that is due at once; the third returns a time in an hour.
            let rounds = CountedWork { $0 < 3 ? clock.now : clock.now.adding(seconds: 3_600) }
            let following = Task { await rounds.follow(database, clock: clock) }
            for await number in rounds.done where number == 3 { break }
            following.cancel()
            await following.value
            #expect(rounds.failures.withLock { $0 } == 0)
        }
    }

    @Test("Work that fails is reported and runs again", .timeLimit(.minutes(15)), arguments: Engine.allCases)
    func failures(engine: Engine) async throws {
        try await withSamples(engine) { database async throws in
            let rounds = CountedWork { number in
                guard number > 2 else { throw CountedWork.Failure() }
                return nil
            }
            let following = Task { await rounds.follow(database, atLeastEvery: 0) }
            for await number in rounds.done where number == 3 { break }
            #expect(rounds.failures.withLock { $0 } == 2)
            following.cancel()
            await following.value
        }
    }
}
