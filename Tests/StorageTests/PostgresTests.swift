import Foundation
import Kernel
import Storage
import Synchronization
import TestSupport
import Testing

@Suite("Failures of PostgreSQL")
struct PostgresTests {
    private static func raise(_ code: String) -> SQL {
        SQL(stringLiteral: "DO $$ BEGIN RAISE EXCEPTION 'made up' USING ERRCODE = '\(code)'; END $$")
    }

    @Test("After a deadlock one of the two transactions runs again")
    func deadlock() async throws {
        try await withSamples(.postgres) { database in
            try await database.write { tx in
                try Samples.addBox("a", in: tx)
                try Samples.addBox("b", in: tx)
            }
            let runs = Counter()
            let gates = [Gate(), Gate()]
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (order, gate) in zip([["a", "b"], ["b", "a"]], gates) {
                    let isFirstRun = Flag()
                    group.addTask {
                        try await database.write { tx in
                            runs.increment()
                            for (step, id) in order.enumerated() {
                                _ = try tx.executeCounting("UPDATE box SET count = count + 1 WHERE id = \(id)")
                                if step == 0, isFirstRun.take() { gate.pass() }
                            }
                        }
                    }
                }
                for gate in gates { await gate.waitForArrival() }
                for gate in gates { gate.open() }
                try await group.waitForAll()
            }
            #expect(runs.count >= 3)
            let counts: [Int] = try await database.read { tx in
                try tx.rows("SELECT count FROM box").map { try $0.get("count") }
            }
            #expect(counts == [2, 2])
        }
    }

    struct Failure: Sendable {
        let code: String
        let runs: Int
    }

    static let failures: [Failure] = [
        Failure(code: "40001", runs: Limits.transactionAttempts),
        Failure(code: "40P01", runs: Limits.transactionAttempts),
        Failure(code: "23505", runs: 2),
        Failure(code: "P0001", runs: 1), Failure(code: "55P03", runs: 1), Failure(code: "53100", runs: 1),
    ]

    @Test("Only conflicts with other transactions are retried, up to a limit", arguments: failures)
    func retries(failure: Failure) async throws {
        try await withSamples(.postgres) { database in
            let runs = Counter()
            await #expect(throws: (any Error).self) {
                try await database.write { tx in
                    runs.increment()
                    try Samples.addBox("a", in: tx)
                    try tx.execute(Self.raise(failure.code))
                }
            }
            #expect(runs.count == failure.runs)
            let isFirstRun = Flag()
            let result = await Task {
                try await database.write { tx in
                    try Samples.addBox("b", in: tx)
                    if isFirstRun.take() { try tx.execute(Self.raise(failure.code)) }
                }
            }.result
            try await Samples.expectBoxes(failure.runs > 1 ? ["b"] : [], in: database)
            #expect((try? result.get()) != nil || failure.runs == 1)
        }
    }

    @Test("Lack of resources and timeouts are reported as unavailable", arguments: ["53100", "55P03", "57014"])
    func unavailable(code: String) async throws {
        try await withSamples(.postgres) { database in
            let error = await #expect(throws: AppError.self) {
                try await database.write { tx in try tx.execute(Self.raise(code)) }
            }
            #expect(error?.code == .unavailable)
            try await database.write { tx in try Samples.addBox("a", in: tx) }
            try await Samples.expectBoxes(["a"], in: database)
        }
    }

    @Test("A connection lost before the commit changes nothing and is replaced")
    func lostBeforeCommit() async throws {
        try await withSamples(.postgres) { database in
            let error = await #expect(throws: AppError.self) {
                try await database.write { tx in
                    try Samples.addBox("a", in: tx)
                    _ = try tx.rows("SELECT pg_terminate_backend(pg_backend_pid())")
                }
            }
            #expect(error?.code == .unavailable)
            try await database.write { tx in try Samples.addBox("b", in: tx) }
            try await Samples.expectBoxes(["b"], in: database)
        }
    }

    @Test("The loss of an idle connection causes no error")
    func lostIdle() async throws {
        try await withDatabaseURL(.postgres, migrations: Samples.migrations) { url in
            let database = try await Database.open(
                url, migrations: Samples.migrations, logger: .silent, clock: TestClock())
            func endSessions() throws {
                try PostgresAdministration.run(
                    """
                    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                    WHERE datname = current_database() AND pid <> pg_backend_pid()
                    """,
                    at: url
                )
            }
            try await database.write { tx in try Samples.addBox("a", in: tx) }
            try endSessions()
            try await database.write { tx in try Samples.addBox("b", in: tx) }
            // The end of a read isn't waited for.
            try await Samples.expectBoxes(["a", "b"], in: database)
            try endSessions()
            try await Samples.expectBoxes(["a", "b"], in: database)
            try endSessions()
            try await database.write { tx in try Samples.addBox("c", in: tx) }
            try await Samples.expectBoxes(["a", "b", "c"], in: database)
            await database.close()
        }
    }

    @Test("Readers notice commits after the listener's connection was lost", .timeLimit(.minutes(15)))
    func listenerReconnects() async throws {
        try await withDatabaseURL(.postgres, migrations: Samples.migrations) { url in
            let one = try await Database.open(url, migrations: Samples.migrations, logger: .silent, clock: TestClock())
            let two = try await Database.open(url, migrations: Samples.migrations, logger: .silent, clock: TestClock())
            let ticks = one.changes()
            try PostgresAdministration.run(
                """
                SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                WHERE datname = current_database() AND pid <> pg_backend_pid()
                """,
                at: url
            )
            try await two.write { tx in try tx.publish(Samples.event(1)) }
            try await waitForTick(ticks) {
                try await one.read { tx in try Outbox.entries(after: 0, limit: 1, in: tx) }.count == 1
            }
            await one.close()
            await two.close()
        }
    }

    @Test("A connection lost during the commit leaves the outcome unknown, and the error says so")
    func lostAtCommit() async throws {
        let fatal = Migration(
            module: "sample", name: "0002-fatal",
            sql: """
                CREATE TABLE fuse (id {text} PRIMARY KEY) {strict};
                CREATE FUNCTION blow() RETURNS trigger LANGUAGE plpgsql AS '
                BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END';
                CREATE CONSTRAINT TRIGGER fuse_blows AFTER INSERT ON fuse
                DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION blow();
                """
        )
        try await withDatabase(.postgres, migrations: Samples.migrations + [fatal]) { database in
            let hooks = Counter()
            await #expect(throws: StorageError.outcomeUnknown) {
                try await database.write { tx in
                    tx.afterCommit { hooks.increment() }
                    try tx.execute("INSERT INTO fuse (id) VALUES ('a')")
                }
            }
            #expect(hooks.count == 0)
            try await database.write { tx in try Samples.addBox("b", in: tx) }
            try await Samples.expectBoxes(["b"], in: database)
        }
    }

    @Test("More callers than connections all succeed")
    func crowd() async throws {
        try await withSamples(.postgres) { database in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<(Limits.databaseWriters * 6) {
                    group.addTask { try await database.write { tx in try Samples.addBox("\(number)", in: tx) } }
                }
                try await group.waitForAll()
            }
            #expect(try await Samples.boxes(database).count == Limits.databaseWriters * 6)
        }
    }
}

/// A flag that is true for the first reader only.
private final class Flag: Sendable {
    private let isFresh = Mutex(true)

    func take() -> Bool {
        isFresh.withLock { isFresh in
            defer { isFresh = false }
            return isFresh
        }
    }
}

private final class Counter: Sendable {
    private let value = Mutex(0)
    var count: Int { value.withLock { $0 } }
    func increment() { value.withLock { $0 += 1 } }
}
