import Foundation
import Kernel
import Synchronization
import TestSupport
import Testing

@testable import Storage

@Suite("PostgreSQL that is frozen")
struct PostgresSilenceTests {
    private static let quick = PostgresDeadlines(statementMilliseconds: 400, graceMilliseconds: 200)

    private static func withQuickDatabase(_ body: (Database, String) async throws -> Void) async throws {
        try await withDatabaseURL(.postgres, migrations: Samples.migrations) { url in
            guard case .postgres(let uri) = url.kind else { return }
            let driver = try await PostgresDriver.open(
                uri: uri, migrations: Samples.migrations, logger: .silent, clock: TestClock(), deadlines: quick,
                listening: quick)
            let database = Database(driver: driver)
            try await body(database, uri)
            await database.close()
        }
    }

    @Test("A statement on a frozen session fails by its deadline, and the next change gets another session")
    func statement() async throws {
        try await Self.withQuickDatabase { database, _ in
            let sessions = FrozenSessions()
            defer { sessions.thaw() }
            let error = await #expect(throws: AppError.self) {
                try await database.write { tx in
                    try Samples.addBox("a", in: tx)
                    try sessions.freezeOwn(tx)
                    try Samples.addBox("b", in: tx)
                }
            }
            #expect(error?.code == .unavailable)
            try await database.write { tx in try Samples.addBox("c", in: tx) }
            sessions.thaw()
            try await Samples.expectBoxes(["c"], in: database)
        }
    }

    @Test("A commit on a frozen session has an unknown outcome by its deadline")
    func commit() async throws {
        try await Self.withQuickDatabase { database, _ in
            let sessions = FrozenSessions()
            defer { sessions.thaw() }
            await #expect(throws: StorageError.outcomeUnknown) {
                try await database.write { tx in
                    try Samples.addBox("a", in: tx)
                    try sessions.freezeOwn(tx)
                }
            }
            try await database.write { tx in try Samples.addBox("b", in: tx) }
        }
    }

    @Test("A frozen listener is replaced, and followers hear of commits again", .timeLimit(.minutes(5)))
    func listener() async throws {
        try await Self.withQuickDatabase { database, uri in
            let sessions = FrozenSessions()
            defer { sessions.thaw() }
            let own = try PostgresConnection(uri: uri)
            let others = {
                try own.rows(
                    """
                    SELECT pid FROM pg_stat_activity
                    WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'
                    """,
                    limit: 100
                )
            }
            while try others().isEmpty { await Task.yield() }
            for row in try others() { sessions.freeze(try row.get("pid")) }
            let ticks = database.changes()
            try await database.write { tx in try tx.publish(Samples.event(1)) }
            try await waitForTick(ticks) {
                try await database.read { tx in try Outbox.entries(after: 0, limit: 1, in: tx) }.count == 1
            }
        }
    }

    @Test("A server that isn't there is told apart from one that refuses", arguments: ["/nowhere", "127.0.0.1:1"])
    func absent(host: String) async throws {
        let place = host.hasPrefix("/") ? "%2Fnowhere" : host
        let url = try DatabaseURL("postgres://homeward@\(place)/homeward")
        do {
            _ = try await Database.open(url, migrations: [], logger: .silent, clock: TestClock())
            Issue.record("it opened")
        } catch StorageError.unreachable {
        }
    }
}

/// Server processes of the test's own PostgreSQL that don't run for a while.
private final class FrozenSessions: Sendable {
    private let processes = Mutex<[pid_t]>([])

    func freezeOwn(_ tx: Transaction) throws {
        guard let pid = try tx.row("SELECT pg_backend_pid() AS pid")?.get("pid", as: Int64.self) else { return }
        freeze(pid)
    }

    func freeze(_ pid: Int64) {
        kill(pid_t(pid), SIGSTOP)
        processes.withLock { $0.append(pid_t(pid)) }
    }

    func thaw() {
        for process in processes.withLock({ $0 }) { kill(process, SIGCONT) }
        processes.withLock { $0 = [] }
    }
}
