import Kernel
import Logging
@testable import Storage
import Synchronization
import TestSupport
import Testing

@Suite("Group commit on SQLite")
struct GroupCommitTests {
    struct Refusal: Error, Equatable {}

    private static let deferred = Migration(
        module: "sample", name: "0002-deferred",
        sql: """
            CREATE TABLE tag (
                id {text} PRIMARY KEY,
                box_id {text} NOT NULL REFERENCES box(id) DEFERRABLE INITIALLY DEFERRED
            ) {strict};
            """
    )

    /// Blocks the writer, queues `writes` so that they become one batch, and returns their results.
    private func together(
        _ database: Database, _ writes: [@Sendable (Transaction) throws -> Void]
    ) async -> [Result<Void, any Error>] {
        let gate = Gate()
        async let blocker: Void = database.write { _ in gate.pass() }
        await gate.waitForArrival()
        let results = await withTaskGroup(of: (Int, Result<Void, any Error>).self) { group in
            for (index, write) in writes.enumerated() {
                group.addTask {
                    do {
                        try await database.write(write)
                        return (index, .success(()))
                    } catch {
                        return (index, .failure(error))
                    }
                }
            }
            while (database.driver as? SQLiteDriver)?.writes.count != writes.count { await Task.yield() }
            gate.open()
            var results = [Result<Void, any Error>](repeating: .failure(Refusal()), count: writes.count)
            for await (index, result) in group { results[index] = result }
            return results
        }
        try? await blocker
        return results
    }

    @Test("A closure that throws rolls back only its own changes")
    func oneRefused() async throws {
        try await withSamples(.sqlite) { database in
            let results = await together(
                database,
                [
                    { try Samples.addBox("a", in: $0) },
                    {
                        try Samples.addBox("b", in: $0)
                        throw Refusal()
                    },
                    { try Samples.addBox("c", in: $0) },
                    {
                        try Samples.addBox("d", in: $0)
                        try Samples.addBox("d", in: $0)
                    },
                    { _ in throw Refusal() },
                    { try Samples.addBox("e", in: $0) },
                ]
            )
            #expect(results.map { (try? $0.get()) != nil } == [true, false, true, false, false, true])
            #expect(throws: Refusal()) { try results[1].get() }
            #expect(throws: StorageError.self) { try results[3].get() }
            try await Samples.expectBoxes(["a", "c", "e"], in: database)
        }
    }

    @Test("A failed commit acknowledges no write of the batch")
    func failedCommit() async throws {
        let migrations = Samples.migrations + [Self.deferred]
        try await withDatabase(.sqlite, migrations: migrations) { database in
            let hooks = Mutex(0)
            let results = await together(
                database,
                [
                    { tx in
                        tx.afterCommit { hooks.withLock { $0 += 1 } }
                        try Samples.addBox("a", in: tx)
                    },
                    { try $0.execute("INSERT INTO tag (id, box_id) VALUES ('t', 'nowhere')") },
                    { try Samples.addBox("b", in: $0) },
                ]
            )
            #expect(results.count { (try? $0.get()) != nil } == 0)
            #expect(hooks.withLock { $0 } == 0)
            try await Samples.expectBoxes([], in: database)
            try await database.write { tx in try Samples.addBox("c", in: tx) }
            try await Samples.expectBoxes(["c"], in: database)
        }
    }

    @Test("A cancelled caller cancels neither its own write nor the others'")
    func cancelled() async throws {
        try await withSamples(.sqlite) { database in
            let gate = Gate()
            let cancelled = Task {
                try await database.write { tx in
                    gate.pass()
                    try Samples.addBox("a", in: tx)
                }
            }
            await gate.waitForArrival()
            cancelled.cancel()
            async let other: Void = database.write { tx in try Samples.addBox("b", in: tx) }
            gate.open()
            try await cancelled.value
            try await other
            try await Samples.expectBoxes(["a", "b"], in: database)
        }
    }

    @Test("Writes beyond the queue's limit fail, and the others succeed", .timeLimit(.minutes(15)))
    func queueLimit() async throws {
        try await withSamples(.sqlite) { database in
            let excess = 20
            let gate = Gate()
            async let blocker: Void = database.write { _ in gate.pass() }
            await gate.waitForArrival()
            let (done, refused) = await withTaskGroup(of: AppError.Code?.self, returning: (Int, Int).self) { group in
                for number in 0..<(Limits.writeQueue + excess) {
                    group.addTask {
                        do {
                            try await database.write { tx in try Samples.addBox("\(number)", in: tx) }
                            return nil
                        } catch {
                            return (error as? AppError)?.code
                        }
                    }
                }
                var done = 0, refused = 0
                for await code in group {
                    if code == .unavailable { refused += 1 } else if code == nil { done += 1 }
                    // The rejected ones fail at once; the others wait for the writer.
                    if refused == excess, done == 0 { gate.open() }
                }
                return (done, refused)
            }
            try await blocker
            #expect(done == Limits.writeQueue)
            #expect(refused == excess)
            #expect(try await Samples.boxes(database).count == Limits.writeQueue)
        }
    }

    @Test("On a full disk writes fail and reads succeed, until there is space again")
    func fullDisk() async throws {
        try await withSamples(.sqlite) { database in
            try await database.write { tx in try Samples.addBox("a", in: tx) }
            let pages: Int = try await database.write { tx in
                let pages: Int = try tx.row("PRAGMA page_count")?.get("page_count") ?? 0
                _ = try tx.rows(SQL(trusted: "PRAGMA max_page_count = \(pages)"))
                return pages
            }
            let content = [UInt8](repeating: 1, count: 100_000)
            for _ in 0..<3 {
                let error = await #expect(throws: AppError.self) {
                    try await database.write { tx in
                        try tx.execute("INSERT INTO box (id, label, content) VALUES ('big', 'big', \(content))")
                    }
                }
                #expect(error?.code == .unavailable)
            }
            try await Samples.expectBoxes(["a"], in: database)
            _ = try await database.write { tx in try tx.rows(SQL(trusted: "PRAGMA max_page_count = \(pages + 1_000)")) }
            try await database.write { tx in
                try tx.execute("INSERT INTO box (id, label, content) VALUES ('big', 'big', \(content))")
            }
            try await Samples.expectBoxes(["a", "big"], in: database)
        }
    }

    @Test("A write waits for the lock of another process")
    func otherWriter() async throws {
        try await withDatabaseURL(.sqlite) { url in
            let one = try await Database.open(url, migrations: Samples.migrations, logger: .silent, clock: TestClock())
            let two = try await Database.open(url, migrations: Samples.migrations, logger: .silent, clock: TestClock())
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (name, database) in [("one", one), ("two", two)] {
                    for number in 0..<50 {
                        group.addTask {
                            try await database.write { tx in try Samples.addBox("\(name)\(number)", in: tx) }
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await Samples.boxes(one).count == 100)
            await one.close()
            await two.close()
        }
    }

    @Test("The queue delivers in order and in batches, and ends after closing")
    func queue() {
        let queue = BlockingQueue<Int>(limit: 5)
        for number in 1...5 { _ = queue.push(number) }
        guard case .full = queue.push(6) else {
            Issue.record("the limit isn't kept")
            return
        }
        #expect(queue.dequeue() == 1)
        var batch: [Int] = []
        #expect(queue.dequeue(most: 2, into: &batch))
        #expect(batch == [2, 3])
        _ = queue.push(6)
        _ = queue.push(7)
        queue.close()
        guard case .closed = queue.push(8) else {
            Issue.record("a closed queue takes more")
            return
        }
        #expect(queue.dequeue(most: 10, into: &batch))
        #expect(batch == [4, 5, 6, 7])
        #expect(queue.dequeue() == nil)
    }
}
