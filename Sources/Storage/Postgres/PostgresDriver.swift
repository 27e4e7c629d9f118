import Foundation
import Kernel
import Logging

/// The PostgreSQL driver: a few connections, each with its own thread, and one connection that listens.
final class PostgresDriver: Driver {
    let dialect = Dialect.postgres
    private let uri: String
    private let deadlines: PostgresDeadlines
    private let logger: Logger
    private let writes: PostgresPool
    private let reads: PostgresPool
    private let signal: ChangeSignal
    private let threads: WorkerThreads
    let listener: PostgresListener

    static func open(
        uri: String, migrations: [Migration], logger: Logger, clock: any WallClock,
        machineClock: any WallClock = SystemClock(), deadlines: PostgresDeadlines = PostgresDeadlines(),
        listening: PostgresDeadlines = .listening
    ) async throws -> PostgresDriver {
        let driver = try PostgresDriver(
            uri: uri, logger: logger, machineClock: machineClock, deadlines: deadlines, listening: listening)
        let now = clock.now
        do {
            try await withCheckedThrowingContinuation { continuation in
                driver.threads.start("homeward-migrate") {
                    continuation.resume(with: Result { try driver.prepare(migrations, now: now) })
                }
            }
        } catch let failure as PostgresFailure {
            throw failure.isAbsence
                ? StorageError.unreachable(failure.description) : StorageError.cannotOpen(failure.description)
        }
        driver.threads.start("homeward-listen") { [listener = driver.listener] in listener.run() }
        return driver
    }

    private init(
        uri: String, logger: Logger, machineClock: any WallClock, deadlines: PostgresDeadlines,
        listening: PostgresDeadlines
    ) throws {
        self.uri = uri
        self.deadlines = deadlines
        self.logger = logger
        let signal = ChangeSignal()
        let threads = WorkerThreads()
        let listener = try PostgresListener(
            uri: uri, deadlines: listening, signal: signal, machineClock: machineClock, logger: logger)
        let runner: @Sendable () -> PostgresRunner = {
            PostgresRunner(uri: uri, deadlines: deadlines, listener: listener, signal: signal)
        }
        reads = PostgresPool(
            "read", queueLimit: Limits.readQueue, threadLimit: Limits.databaseReaders, threads: threads
        ) { PostgresWorker(runner(), .reading, logger: logger).serve($0) }
        writes = PostgresPool(
            "write", queueLimit: Limits.writeQueue, threadLimit: Limits.databaseWriters, threads: threads
        ) { PostgresWorker(runner(), .writing, logger: logger).serve($0) }
        self.signal = signal
        self.threads = threads
        self.listener = listener
    }

    private func prepare(_ migrations: [Migration], now: Instant) throws {
        let connection = try PostgresConnection(uri: uri, deadlines: deadlines)
        try requireOwnSession(connection)
        let isFlushing = try connection.rows("SHOW fsync", limit: 1).first?.get("fsync", as: String.self)
        if isFlushing != "on" {
            logger.warning("PostgreSQL runs with fsync off: a power cut loses what was confirmed")
        }
        try PostgresMigrator(migrations: migrations, logger: logger).migrate(connection, now: now)
        try listener.compareClocks(connection)
    }

    /// Rejects a pooler that gives the transactions of a connection to different sessions of the server. Settings,
    /// prepared statements and notifications belong to a session. Each query gives an idle pooler an occasion to use
    /// another session.
    private func requireOwnSession(_ connection: PostgresConnection) throws {
        let other = try PostgresConnection(uri: uri, deadlines: deadlines)
        let processes = try [connection, other, connection, connection].map { try $0.serverProcess() }
        guard Set([processes[0], processes[2], processes[3]]).count == 1, processes[0] != processes[1] else {
            throw StorageError.cannotOpen(
                "a pooler between server and database pools transactions; it must pool sessions (docs/operating.md)")
        }
    }

    func write<T: Sendable>(_ body: @escaping @Sendable (Transaction) throws -> T) async throws -> T {
        try await writes.perform(body)
    }

    func commit(_ body: @escaping @Sendable (Transaction) throws -> Void) async throws {
        try await writes.perform(body)
    }

    func read<T: Sendable>(_ body: @escaping @Sendable (Transaction) throws -> T) async throws -> T {
        try await reads.perform(body)
    }

    func changes() -> AsyncStream<Void> { signal.stream() }

    var status: DatabaseStatus { listener.status }

    func backup(to path: String) async throws {
        throw StorageError.backup("PostgreSQL has its own way: use pg_dump (or pg_basebackup), see docs/operating.md")
    }

    func restore(
        from path: String, prepare: @escaping @Sendable (Transaction) throws -> Void
    ) async throws -> String {
        throw StorageError.backup("PostgreSQL has its own way: use pg_restore, see docs/operating.md")
    }

    func stop() {
        writes.queue.close()
        reads.queue.close()
        listener.stop()
        signal.finish()
    }

    func close() async {
        stop()
        await threads.finished()
    }
}
