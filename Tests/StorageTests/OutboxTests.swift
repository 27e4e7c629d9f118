import Foundation
import Kernel
@testable import Storage
import Synchronization
import TestSupport
import Testing

@Suite("Outbox")
struct OutboxTests {
    private func entries(_ database: Database, after: Int64 = 0, limit: Int = 1_000) async throws -> [OutboxEntry] {
        try await database.read { tx in try Outbox.entries(after: after, limit: limit, in: tx) }
    }

    /// Waits for `count` entries. On PostgreSQL other tests may delay them; once one read returns them, every read
    /// does.
    private func entries(_ database: Database, after: Int64 = 0, count: Int) async throws -> [OutboxEntry] {
        var found: [OutboxEntry] = []
        try await waitForTick(database.changes()) {
            found = try await entries(database, after: after)
            return found.count >= count
        }
        if let listener = (database.driver as? PostgresDriver)?.listener, let last = found.last {
            while listener.watermark.known <= last.sequence { await Task.yield() }
        }
        return found
    }

    @Test("Events are read in the order in which they were published, page by page", arguments: Engine.allCases)
    func order(engine: Engine) async throws {
        try await withSamples(engine) { database async throws in
            let start = try await database.read { tx in try Outbox.lastSequence(in: tx) }
            try await database.write { tx in for number: Int64 in 1...3 { try tx.publish(Samples.event(number)) } }
            try await database.write { tx in try tx.publish(Samples.event(4, for: Samples.stranger)) }
            let all = try await entries(database, after: start, count: 4)
            #expect(
                all.map(\.event) == [
                    Samples.event(1), Samples.event(2), Samples.event(3), Samples.event(4, for: Samples.stranger),
                ])
            #expect(all.map(\.sequence) == all.map(\.sequence).sorted())
            #expect(Set(all.map(\.sequence)).count == 4)
            let first = try await entries(database, after: start, limit: 2)
            #expect(first == Array(all.prefix(2)))
            #expect(try await entries(database, after: first[1].sequence) == Array(all.suffix(2)))
            let mine = try await database.read { tx in
                try Outbox.entries(
                    after: start, upTo: all[3].sequence, audience: Samples.stranger, limit: 10, in: tx)
            }
            #expect(mine == Array(all.suffix(1)))
            let earlier = try await database.read { tx in
                try Outbox.entries(
                    after: start, upTo: all[1].sequence, audience: Samples.person, limit: 10, in: tx)
            }
            #expect(earlier == Array(all.prefix(2)))
            #expect(try await database.read { tx in try Outbox.firstSequence(in: tx) } == all.first?.sequence)
        }
    }

    @Test(
        "A resumed stream reads its events by an index, whatever sequence it sends", arguments: Engine.allCases)
    func resumesByIndex(engine: Engine) async throws {
        try await withSamples(engine) { database async throws in
            let plan = try await database.read { tx -> String in
                let query = Outbox.entriesQuery(after: 0, upTo: .max, audience: Samples.person, limit: 10)
                // The planner may scan a small table. With that disabled, it shows whether it has to.
                if engine == .postgres { try tx.execute("SET LOCAL enable_seqscan = off") }
                let explained: SQL =
                    engine == .sqlite ? "EXPLAIN QUERY PLAN \(sql: query)" : "EXPLAIN \(sql: query)"
                let column = engine == .sqlite ? "detail" : "QUERY PLAN"
                return try tx.rows(explained).map { try $0.get(column, as: String.self) }.joined(separator: "\n")
            }
            #expect(plan.components(separatedBy: "outbox_audience").count == 3, "\(plan)")
            #expect(!plan.contains(/(SCAN|Seq Scan on) outbox\b/), "\(plan)")
        }
    }

    @Test("A person's events and those for everyone come in one order, up to the limit", arguments: Engine.allCases)
    func twoAudiences(engine: Engine) async throws {
        try await withSamples(engine) { database async throws in
            let start = try await database.read { tx in try Outbox.lastSequence(in: tx) }
            for number: Int64 in 1...6 {
                let audience = [Samples.person, ChangeEvent.everyone, Samples.stranger][Int(number % 3)]
                try await database.write { tx in try tx.publish(Samples.event(number, for: audience)) }
            }
            _ = try await entries(database, after: start, count: 6)
            func versions(limit: Int) async throws -> [Int64] {
                try await database.read { tx in
                    try Outbox.entries(
                        after: start, upTo: .max, audience: Samples.person, limit: limit, in: tx
                    ).map(\.event.version)
                }
            }
            #expect(try await versions(limit: 10) == [1, 3, 4, 6])
            #expect(try await versions(limit: 3) == [1, 3, 4])
        }
    }

    @Test("A later event is above the last sequence, even in an emptied outbox", arguments: Engine.allCases)
    func lastSequence(engine: Engine) async throws {
        try await withSamples(engine) { database async throws in
            try await database.write { tx in try tx.publish(Samples.event(1)) }
            _ = try await entries(database, count: 1)
            let removed = try await database.write { tx in
                try Outbox.prune(before: Samples.now.adding(seconds: 1), in: tx)
            }
            #expect(removed == 1)
            let last = try await database.read { tx in try Outbox.lastSequence(in: tx) }
            #expect(last > 0)
            try await database.write { tx in try tx.publish(Samples.event(2)) }
            #expect(try await entries(database, after: last, count: 1).map(\.event) == [Samples.event(2)])
        }
    }

    @Test("Only entries from before the instant are deleted, in batches", arguments: Engine.allCases)
    func prune(engine: Engine) async throws {
        try await withSamples(engine) { database async throws in
            let extra: Int64 = 3
            try await database.write { tx in
                for number in 1...(Int64(Limits.outboxPruneBatch) + extra) { try tx.publish(Samples.event(number)) }
                let late = ChangeEvent(
                    audience: Samples.person, kind: "box", resource: "/boxes/late", version: 1,
                    at: Samples.now.adding(seconds: 60)
                )
                try tx.publish(late)
            }
            var removed: [Int] = []
            repeat {
                removed.append(
                    try await database.write { tx in try Outbox.prune(before: Samples.now.adding(seconds: 60), in: tx) }
                )
            } while removed.last != 0
            #expect(removed == [Limits.outboxPruneBatch, Int(extra), 0])
            #expect(try await entries(database, count: 1).map(\.event.resource) == ["/boxes/late"])
        }
    }

    @Test("A reader beside concurrent writers gets every event exactly once", arguments: Engine.allCases)
    func noGaps(engine: Engine) async throws {
        let writers = 12, writesEach = 40
        try await withSamples(engine) { database async throws in
            let reader = Task {
                var seen: [OutboxEntry] = []
                while seen.count < writers * writesEach {
                    let after = seen.last?.sequence ?? 0
                    seen += try await database.read { tx in try Outbox.entries(after: after, limit: 7, in: tx) }
                }
                return seen
            }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for writer in 0..<writers {
                    group.addTask {
                        for number in 0..<writesEach {
                            try await database.write { tx in
                                try tx.publish(Samples.event(Int64(writer * writesEach + number)))
                                try Samples.addBox("\(writer)-\(number)", in: tx)
                            }
                        }
                    }
                }
                try await group.waitForAll()
            }
            let seen = try await reader.value
            #expect(Set(seen.map(\.event.version)) == Set(0..<Int64(writers * writesEach)))
            #expect(seen.count == writers * writesEach)
            for (earlier, later) in zip(seen, seen.dropFirst()) { #expect(earlier.sequence < later.sequence) }
        }
    }

    @Test("PostgreSQL: a reader doesn't skip an event that commits late, and its commit ticks")
    func lateCommit() async throws {
        try await withSamples(.postgres) { database async throws in
            let early = Gate()
            async let slow: Void = database.write { tx in
                try tx.publish(Samples.event(1))
                // The event's number is made of this id, and so is lower than that of the second event.
                _ = try tx.row("SELECT pg_current_xact_id()::text AS id")
                early.pass()
            }
            await early.waitForArrival()
            try await database.write { tx in try tx.publish(Samples.event(2)) }
            #expect(try await entries(database).isEmpty)
            let ticks = database.changes()
            early.open()
            try await slow
            try await waitForTick(ticks) { try await entries(database).count == 2 }
            #expect(try await entries(database, count: 2).map(\.event.version) == [1, 2])
        }
    }

    @Test(
        "PostgreSQL: an event is readable once a silent older transaction ends", .timeLimit(.minutes(15))
    )
    func heldBack() async throws {
        try await withSamples(.postgres) { database async throws in
            let gate = Gate()
            async let silent: Void = database.write { tx in
                try Samples.addBox("a", in: tx)
                _ = try tx.row("SELECT 1 AS one")
                gate.pass()
            }
            await gate.waitForArrival()
            try await database.write { tx in try tx.publish(Samples.event(1)) }
            #expect(try await entries(database).isEmpty)
            let ticks = database.changes()
            gate.open()
            try await silent
            try await waitForTick(ticks) { try await entries(database).count == 1 }
        }
    }

    @Test("PostgreSQL: sequences increase after a dump is restored on a server with lower ids")
    func restoredElsewhere() async throws {
        try await withDatabaseURL(.postgres, migrations: Samples.migrations) { url in
            let future: Int64 = 5_000_000_000 << 16
            try PostgresAdministration.run(
                "INSERT INTO outbox VALUES (\(future), '\(Samples.person)', 'box', '/boxes/1', 1, 0)", at: url
            )
            let database = try await Database.open(
                url, migrations: Samples.migrations, logger: .silent, clock: TestClock())
            try await database.write { tx in try tx.publish(Samples.event(2)) }
            #expect(try await entries(database, count: 2).map(\.event.version) == [1, 2])
            await database.close()
        }
    }

    @Test("Readers notice commits of another process", .timeLimit(.minutes(15)), arguments: Engine.allCases)
    func otherProcess(engine: Engine) async throws {
        try await withDatabaseURL(engine, migrations: Samples.migrations) { url in
            let one = try await Database.open(url, migrations: Samples.migrations, logger: .silent, clock: TestClock())
            let two = try await Database.open(url, migrations: Samples.migrations, logger: .silent, clock: TestClock())
            let follower = Task {
                var seen: [Int64] = []
                for await _ in one.changes() {
                    seen = try await entries(one).map(\.event.version)
                    if seen.count == 3 { break }
                }
                return seen
            }
            for number: Int64 in 1...3 {
                try await two.write { tx in try tx.publish(Samples.event(number)) }
            }
            #expect(try await follower.value == [1, 2, 3])
            await one.close()
            await two.close()
        }
    }

    @Test("PostgreSQL: an event is found although its notification was lost", .timeLimit(.minutes(15)))
    func withoutNotification() async throws {
        try await withDatabaseURL(.postgres, migrations: Samples.migrations) { url in
            let database = try await Database.open(
                url, migrations: Samples.migrations, logger: .silent, clock: TestClock()
            )
            let ticks = database.changes()
            try await database.write { tx in try tx.publish(Samples.event(1)) }
            _ = try await entries(database, count: 1)
            try PostgresAdministration.run(
                """
                INSERT INTO outbox SELECT pg_current_xact_id()::text::bigint << 16, audience, kind, resource, 2, at
                FROM outbox
                """,
                at: url
            )
            try await waitForTick(ticks) { try await entries(database).count == 2 }
            await database.close()
        }
    }

    @Test("Ticks are merged until a reader takes them, and every reader gets them")
    func ticks() async {
        let signal = ChangeSignal()
        let one = signal.stream()
        let two = signal.stream()
        for _ in 0..<5 { signal.tick() }
        signal.finish()
        var counts: [Int] = []
        for stream in [one, two, signal.stream()] {
            var count = 0
            for await _ in stream { count += 1 }
            counts.append(count)
        }
        #expect(counts == [1, 1, 1])
    }

    @Test("A transaction that publishes too many events fails")
    func tooMany() async throws {
        try await withSamples(.sqlite) { database async throws in
            await #expect(throws: StorageError.transactionFailed) {
                try await database.write { tx in
                    for number in 0...Int64(Limits.eventsPerTransaction) { try tx.publish(Samples.event(number)) }
                }
            }
            #expect(try await entries(database).isEmpty)
        }
    }

    @Test(
        "PostgreSQL: a long transaction of another database delays no event", .timeLimit(.minutes(15)))
    func otherDatabase() async throws {
        try await withSamples(.postgres) { other in
            let gate = Gate()
            async let long: Void = other.write { tx in
                try Samples.addBox("a", in: tx)
                _ = try tx.row("SELECT 1 AS one")
                gate.pass()
            }
            await gate.waitForArrival()
            try await withSamples(.postgres) { database in
                try await database.write { tx in try tx.publish(Samples.event(1)) }
                #expect(try await entries(database, count: 1).map(\.event.version) == [1])
            }
            gate.open()
            try await long
        }
    }
}
