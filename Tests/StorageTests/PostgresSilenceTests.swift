import Foundation
import Kernel
import Synchronization
import TestSupport
import Testing

@testable import Storage

@Suite("A frozen PostgreSQL server")
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

    @Test("A statement in a frozen session fails at its deadline, and the next change gets another session")
    func statement() async throws {
        try await Self.withQuickDatabase { database, _ in
            let sessions = FrozenSessions()
            defer { sessions.thaw() }
            let error = await #expect(throws: AppError.self) {
                try await database.write { tx in
                    try Samples.addBox("a", in: tx)
                    try sessions.freezeOwn(tx)
                    _ = try tx.executeCounting("UPDATE box SET count = 1")
                }
            }
            #expect(error?.code == .unavailable)
            try await database.write { tx in try Samples.addBox("c", in: tx) }
            sessions.thaw()
            try await Samples.expectBoxes(["c"], in: database)
        }
    }

    @Test("After one deadline, no change waits for another idle session of the frozen server", .timeLimit(.minutes(1)))
    func otherSessions() async throws {
        try await Self.withQuickDatabase { database, _ in
            let sessions = FrozenSessions()
            defer { sessions.thaw() }
            let pids = try await Self.onTwoSessions(of: database) { tx, _ in
                try tx.row("SELECT pg_backend_pid() AS pid")?.get("pid", as: Int64.self)
            }
            #expect(Set(pids).count == 2)
            for pid in pids { sessions.freeze(try #require(pid)) }
            await #expect(throws: AppError.self) {
                try await database.write { tx in try Samples.addBox("lost", in: tx) }
            }
            _ = try await Self.onTwoSessions(of: database) { tx, number in
                try Samples.addBox("\(number)", in: tx)
            }
            sessions.thaw()
            try await Samples.expectBoxes(["1", "2"], in: database)
        }
    }

    /// Runs `body` in two transactions at the same time.
    private static func onTwoSessions<T: Sendable>(
        of database: Database, _ body: @escaping @Sendable (Transaction, Int) throws -> T
    ) async throws -> [T] {
        let gate = Gate()
        async let first = database.write { tx in
            let result = try body(tx, 1)
            gate.pass()
            return result
        }
        await gate.waitForArrival()
        let second = try await database.write { tx in try body(tx, 2) }
        gate.open()
        return [try await first, second]
    }

    @Test("Connecting to a silent server fails within the limit for connecting")
    func silentServer() async throws {
        let silent = try SilentServer()
        let begin = ContinuousClock.now
        let uri = "postgresql://guest@127.0.0.1:\(silent.port)/none"
        let failed = await withCheckedContinuation { continuation in
            // On its own thread, because other tests need the threads of the concurrency runtime.
            Thread.detachNewThread { continuation.resume(returning: (try? PostgresConnection(uri: uri)) == nil) }
        }
        #expect(failed)
        let seconds = begin.duration(to: .now).components.seconds
        #expect(seconds >= 1 && seconds <= Int64(Limits.databaseConnectSeconds) + 10)
    }

    /// Returns the address of the server in a URI, with its port, and the path, which names the database.
    private static func place(in uri: String) throws -> (address: String, path: String) {
        let parts = try #require(URLComponents(string: uri))
        return (try #require(parts.host) + ":\(parts.port ?? 5_432)", parts.path)
    }

    @Test("A silent server doesn't delay a connection to another one, in any order", arguments: [true, false])
    func otherServer(isFirst: Bool) async throws {
        try await Self.withQuickDatabase { _, uri in
            let silent = try SilentServer()
            let (address, _) = try Self.place(in: uri)
            let hosts = isFirst ? "127.0.0.1:\(silent.port),\(address)" : "\(address),127.0.0.1:\(silent.port)"
            let begin = ContinuousClock.now
            let connection = try PostgresConnection(uri: uri.replacing(address, with: hosts))
            #expect(begin.duration(to: .now) < .seconds(Limits.databaseConnectSeconds))
            #expect(try connection.serverProcess() != "")
        }
    }

    @Test("While a server is silent, another one that refused the connection is tried again")
    func triedAgain() async throws {
        try await Self.withQuickDatabase { _, uri in
            let silent = try SilentServer()
            let (address, path) = try Self.place(in: uri)
            let later = "later\(UInt32.random(in: 0 ... .max))"
            let administration = try PostgresConnection(uri: uri)
            defer { _ = try? administration.run("DROP DATABASE \(later) WITH (FORCE)") }
            // A server rejects connections to a database that doesn't exist yet.
            Thread.detachNewThread {
                usleep(600_000)
                _ = try? PostgresConnection(uri: uri).run("CREATE DATABASE \(later)")
            }
            let hosts = "127.0.0.1:\(silent.port),\(address)"
            let connection = try PostgresConnection(
                uri: uri.replacing(address + path, with: "\(hosts)/\(later)"))
            #expect(try connection.serverProcess() != "")
        }
    }

    struct Naming: Sendable, CustomStringConvertible {
        let uri: String
        let servers: [String]

        init(_ uri: String, _ servers: [String]) {
            self.uri = uri
            self.servers = servers
        }

        var description: String { uri }
    }

    static let namings = [
        Naming("postgres://me:secret@one,two/homeward", ["one 5432", "two 5432"]),
        Naming("postgres://me@one:7,two/homeward", ["one 7", "two 5432"]),
        Naming("postgres://me@/homeward?host=one,two&port=7", ["one 7", "two 7"]),
        Naming("postgres://me@/homeward?host=one,two&port=7,8", ["one 7", "two 8"]),
        Naming("postgres://me@[::1]:7,127.0.0.1/homeward", ["::1 7", "127.0.0.1 5432"]),
        Naming("postgres://me@/homeward?host=/folder,one", ["/folder 5432", "one 5432"]),
        // libpq finds these itself.
        Naming("postgres://me@one/homeward", []),
        Naming("postgres://me@one,/homeward", []),
        Naming("postgres://me@one,two/homeward?hostaddr=127.0.0.1,127.0.0.2", []),
        Naming("postgres://me@/homeward?host=one,two&port=7,8,9", []),
        Naming("postgres://me@:x", []),
    ]

    @Test("The servers of a URI", arguments: namings)
    func servers(naming: Naming) {
        #expect(PostgresConnector.servers(of: naming.uri).map { "\($0.host) \($0.port)" } == naming.servers)
    }

    @Test("If no server accepts writes, the error names each of them")
    func noServer() throws {
        let silent = try SilentServer()
        let uri = "postgresql://guest@127.0.0.1:\(silent.port),localhost:1/none"
        let error = #expect(throws: PostgresFailure.self) { try PostgresConnection(uri: uri) }
        let text = error.map(String.init(describing:)) ?? ""
        #expect(text.contains("127.0.0.1:\(silent.port) (127.0.0.1): no response") && text.contains("localhost:1 "))
    }

    @Test("A request to a server that has been replaced fails before its deadline")
    func replacedServer() async throws {
        try await withDatabaseURL(.postgres, migrations: Samples.migrations) { url in
            guard case .postgres(let uri) = url.kind else { return }
            let generation = PostgresGeneration()
            let connection = try PostgresConnection(uri: uri)
            let server = connection.serverStart
            generation.recordServer("the one before")
            let count = generation.serverCount
            connection.requests.isServerReplaced = { generation.isReplaced(server, since: count) }
            // Longer than the time between two checks of whether the server has been replaced. The listener hasn't
            // found this one yet.
            try connection.run("SELECT pg_sleep(0.7)")
            generation.recordServer(server)
            try connection.run("SELECT pg_sleep(0.7)")
            generation.recordServer("another one")
            let begin = ContinuousClock.now
            let error = #expect(throws: PostgresFailure.self) { try connection.run("SELECT pg_sleep(9)") }
            #expect(error?.isAbsence == true)
            #expect(connection.isLost)
            #expect(begin.duration(to: .now) < .seconds(9))
        }
    }

    @Test("A commit in a frozen session has an unknown outcome at its deadline")
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

    @Test("A frozen listener is replaced, and readers notice commits again", .timeLimit(.minutes(5)))
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

    @Test("An unreachable server throws its own error", arguments: ["/nowhere", "127.0.0.1:1"])
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

/// Server processes of the test's own PostgreSQL that are stopped for a while.
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

/// A server that accepts connections and never responds: the operating system completes the TCP handshake.
private final class SilentServer: Sendable {
    let port: UInt16
    private let listening: Int32

    init() throws {
        let listening = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        self.listening = listening
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let port = withUnsafeMutablePointer(to: &address) { pointer -> UInt16? in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer -> UInt16? in
                guard bind(listening, pointer, length) == 0, listen(listening, 1) == 0,
                    getsockname(listening, pointer, &length) == 0
                else { return nil }
                return pointer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                    UInt16(bigEndian: $0.pointee.sin_port)
                }
            }
        }
        self.port = try #require(port)
    }

    deinit { close(listening) }
}
