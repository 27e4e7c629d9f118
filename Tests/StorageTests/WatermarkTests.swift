import Kernel
import TestSupport
import Testing

@testable import Storage

@Suite("The outbox's watermark on PostgreSQL")
struct WatermarkTests {
    private static func entries(_ database: Database, after: Int64 = 0) async throws -> [OutboxEntry] {
        try await database.read { tx in try Outbox.entries(after: after, limit: 1_000, in: tx) }
    }

    private static func uri(_ url: DatabaseURL) throws -> String {
        guard case .postgres(let uri) = url.kind else { throw StorageError.cannotOpen("no PostgreSQL") }
        return uri
    }

    @Test("An open transaction that can't publish delays no event", .timeLimit(.minutes(5)))
    func stranger() async throws {
        try await withDatabaseURL(.postgres, migrations: Samples.migrations) { url in
            let database = try await Database.open(
                url, migrations: Samples.migrations, logger: .silent, clock: TestClock())
            let stranger = try PostgresConnection(uri: Self.uri(url))
            try stranger.run("SET idle_in_transaction_session_timeout = 0")
            try stranger.run("BEGIN; SELECT pg_current_xact_id()")
            for number: Int64 in 1...3 {
                try await database.write { tx in try tx.publish(Samples.event(number)) }
                try await waitForTick(database.changes()) {
                    try await Self.entries(database).count == Int(number)
                }
            }
            #expect(database.status.heldSeconds < Limits.outboxHeldSeconds)
            try stranger.run("ROLLBACK")
            await database.close()
        }
    }

    @Test("A transaction with the writers' lock delays events, even if it gets its id later")
    func writer() async throws {
        try await withDatabaseURL(.postgres, migrations: Samples.migrations) { url in
            let database = try await Database.open(
                url, migrations: Samples.migrations, logger: .silent, clock: TestClock())
            let watermark = try #require(database.driver as? PostgresDriver).listener.watermark
            let writer = try PostgresConnection(uri: Self.uri(url))
            try writer.run("SET idle_in_transaction_session_timeout = 0")
            try writer.begin(PostgresRunner.Beginning.writing.statements)
            try writer.awaitFirstResponse()
            let id = try writer.rows("SELECT pg_current_xact_id()::text::bigint AS id", limit: 1).first
            let number: Int64 = try #require(id).get("id")
            let base = try await database.read { tx in
                try tx.row("SELECT base FROM outbox_base")?.get("base", as: Int64.self) ?? 0
            }
            let ticks = database.changes()
            for version: Int64 in 2...20 {
                try await database.write { tx in try tx.publish(Samples.event(version)) }
            }
            #expect(try await Self.entries(database).isEmpty)
            #expect(watermark.known <= (number + base) << 16)
            try writer.insert(Samples.event(1))
            #expect(try writer.commit() == "COMMIT")
            try await waitForTick(ticks) { try await Self.entries(database).count == 20 }
            #expect(try await Self.entries(database).map(\.event.version) == Array(1...20))
            await database.close()
        }
    }

    @Test("Events that wait for 5 seconds are counted, and the log names the session once")
    func warning() async throws {
        try await withDatabaseURL(.postgres, migrations: Samples.migrations) { url in
            let log = LogRecorder()
            let database = try await Database.open(
                url, migrations: Samples.migrations, logger: log.logger, clock: TestClock())
            let writer = try PostgresConnection(uri: Self.uri(url))
            // On a slow machine the events wait longer than the server's limit for idle transactions.
            try writer.run("SET idle_in_transaction_session_timeout = 0")
            try writer.begin(PostgresRunner.Beginning.writing.statements)
            try writer.awaitFirstResponse()
            try writer.run("SELECT pg_current_xact_id()")
            let row = try writer.rows("SELECT pg_backend_pid()::bigint AS pid", limit: 1).first
            let pid = try #require(row).get("pid", as: Int64.self)
            try await database.write { tx in try tx.publish(Samples.event(1)) }
            func warnings() -> [String] { log.entries.filter { $0.contains("pid=\(pid)") } }
            let deadline = ContinuousClock.now + .seconds(60)
            while warnings().isEmpty, ContinuousClock.now < deadline { try await Task.sleep(for: .milliseconds(50)) }
            #expect(database.status.heldSeconds >= Limits.outboxHeldSeconds)
            try await Task.sleep(for: .milliseconds(200))
            #expect(warnings().count == 1 && warnings().allSatisfy { $0.hasPrefix("warning ") }, "\(log.entries)")
            try writer.run("COMMIT")
            await database.close()
        }
    }

    private static func check(next: Int64, running: [Int64], strangers: [Int64]) throws -> OutboxWatermark.Check {
        func text(_ ids: [Int64]) -> SQLValue {
            ids.isEmpty ? .null : .text(ids.map(String.init).joined(separator: ","))
        }
        let names = ["next", "base", "watermark", "newest", "at", "running", "strangers"]
        let values: [SQLValue] = [
            .integer(next), .integer(0), .integer(0), .null, .integer(0), text(running), text(strangers),
        ]
        return try OutboxWatermark.Check(Row(columns: RowColumns(names: names), values: values))
    }

    @Test("A transaction without the lock counts until a later check finds it still running")
    func twoChecks() throws {
        let watermark = OutboxWatermark()
        // It may have just committed and released its locks; its events aren't in the snapshot of this check.
        #expect(watermark.raise(by: try Self.check(next: 20, running: [10], strangers: [10])) == (10 << 16, 10))
        #expect(watermark.raise(by: try Self.check(next: 30, running: [10], strangers: [10])) == (30 << 16, nil))
        // A new transaction without the lock is suspected again.
        let third = watermark.raise(by: try Self.check(next: 40, running: [10, 35], strangers: [10, 35]))
        #expect(third == (35 << 16, 35))
        watermark.begin(lifted: 0)
        #expect(watermark.raise(by: try Self.check(next: 50, running: [45], strangers: [])) == (45 << 16, 45))
    }

    @Test(
        "After a failover that lost transactions, events are delivered again and sequences increase",
        .timeLimit(.minutes(5)))
    func failover() async throws {
        let lost: Int64 = 10_000_000
        try await withDatabaseURL(.postgres, migrations: Samples.migrations) { url in
            try PostgresAdministration.run("UPDATE outbox_base SET base = base + \(lost)", at: url)
            let database = try await Database.open(
                url, migrations: Samples.migrations, logger: .silent, clock: TestClock())
            try await database.write { tx in try tx.publish(Samples.event(1)) }
            try await waitForTick(database.changes()) { try await Self.entries(database).count == 1 }
            let before = try #require(try await Self.entries(database).last).sequence
            let timeline = try await database.read { tx in
                try tx.row("SELECT timeline FROM outbox_base")?.get("timeline", as: String.self)
            }
            #expect(timeline?.hasSuffix("-00000001") == true)

            // Simulates a new server that never received the lost transactions, on another timeline.
            try PostgresAdministration.run(
                "DELETE FROM outbox; UPDATE outbox_base SET base = base - \(lost), timeline = 'earlier'", at: url)
            let ticks = database.changes()
            try PostgresAdministration.run(
                """
                SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                WHERE datname = current_database() AND pid <> pg_backend_pid()
                """,
                at: url
            )
            await waitForTick(ticks) { database.status.resets == 1 }
            try await database.write { tx in try tx.publish(Samples.event(2)) }
            try await waitForTick(database.changes()) {
                try await Self.entries(database, after: before).map(\.event.version) == [2]
            }
            let (resumed, last) = try await database.read { tx in
                (try Outbox.resumption(from: before, in: tx), try Outbox.lastSequence(in: tx))
            }
            #expect(resumed < before)
            #expect(try await database.read { tx in try Outbox.resumption(from: last, in: tx) } == last)
            await database.close()
        }
    }

    @Test("A reconnected listener on the same server finds nothing changed")
    func reconnected() async throws {
        try await withDatabaseURL(.postgres, migrations: Samples.migrations) { url in
            let connection = try PostgresConnection(uri: Self.uri(url))
            let row = try #require(try connection.rows(OutboxWatermark.check, limit: 1).first)
            let known = OutboxWatermark().raise(by: try OutboxWatermark.Check(row)).known
            #expect(try PostgresTimeline(known: known).isCurrent(in: Transaction(connection)))
            #expect(try !PostgresTimeline(known: known + 1 << 40).isCurrent(in: Transaction(connection)))
        }
    }

    @Test("After a failover all nodes find the same order, and only the first one raises the base")
    func twoNodes() async throws {
        try await withDatabaseURL(.postgres, migrations: Samples.migrations) { url in
            let connection = try PostgresConnection(uri: Self.uri(url))
            try connection.run("UPDATE outbox_base SET timeline = 'earlier'")
            var lifted: [Int64] = []
            for _ in 0..<2 {
                try connection.run("BEGIN")
                lifted.append(try PostgresTimeline(known: 0).lift(in: Transaction(connection)))
                try connection.run("COMMIT")
            }
            #expect(lifted[0] > 0)
            #expect(lifted[0] == lifted[1])
        }
    }

    @Test("A difference to the database's clock is detected", arguments: [-11 * 60, -3, 0, 3, 10 * 60] as [Int64])
    func clocks(seconds: Int64) async throws {
        try await withDatabase(.postgres, machineClock: OffsetClock(aheadBySeconds: seconds)) { database in
            #expect(database.status.isClockRight == (seconds == 0))
            #expect(abs(database.status.clockMilliseconds + seconds * 1_000) < Limits.databaseClockMilliseconds)
        }
    }
}
