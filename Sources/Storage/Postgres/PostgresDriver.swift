import Foundation
import Kernel
import Logging

/// The PostgreSQL driver: a few connections, each with its own thread, and one connection that listens.
final class PostgresDriver: Driver {
    let dialect = Dialect.postgres
    private let uri: String
    private let deadlines: PostgresDeadlines
    private let migrations: [Migration]
    private let clock: any WallClock
    private let logger: Logger
    private let writes: PostgresPool
    private let reads: PostgresPool
    private let signal: ChangeSignal
    private let threads: WorkerThreads
    let listener: PostgresListener

    static func open(
        uri: String, migrations: [Migration], logger: Logger, clock: any WallClock,
        machineClock: any WallClock = SystemClock(), deadlines: PostgresDeadlines = PostgresDeadlines(),
        listening: PostgresDeadlines = .listening, opening: Database.Opening = .creating
    ) async throws -> PostgresDriver {
        let driver = try PostgresDriver(
            uri: uri, migrations: migrations, logger: logger, clock: clock, machineClock: machineClock,
            deadlines: deadlines, listening: listening)
        let now = clock.now
        do {
            try await withCheckedThrowingContinuation { continuation in
                driver.threads.start("homeward-migrate") {
                    continuation.resume(with: Result { try driver.prepare(opening, now: now) })
                }
            }
        } catch let failure as PostgresFailure {
            throw failure.isAbsence
                ? StorageError.unreachable(failure.description) : StorageError.cannotOpen(failure.description)
        }
        guard opening != .unchanged else {
            driver.writes.queue.close()
            return driver
        }
        driver.threads.start("homeward-listen") { [listener = driver.listener] in listener.run() }
        return driver
    }

    private init(
        uri: String, migrations: [Migration], logger: Logger, clock: any WallClock, machineClock: any WallClock,
        deadlines: PostgresDeadlines, listening: PostgresDeadlines
    ) throws {
        self.uri = uri
        self.migrations = migrations
        self.clock = clock
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

    private func prepare(_ opening: Database.Opening, now: Instant) throws {
        let connection = try PostgresConnection(uri: uri, deadlines: deadlines)
        try requireOwnSession(connection)
        let isFlushing = try connection.rows("SHOW fsync", limit: 1).first?.get("fsync", as: String.self)
        if isFlushing != "on" {
            logger.warning("PostgreSQL runs with fsync off: a power cut loses what was confirmed")
        }
        let migrator = PostgresMigrator(migrations: migrations, logger: logger)
        if opening != .creating, try !migrator.hasSchema(connection) {
            throw StorageError.missing("\(try DatabaseURL(uri))")
        }
        if opening != .unchanged { try migrator.migrate(connection, now: now) }
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

    func sizeBytes() async throws -> Int64 {
        try await read { try $0.row("SELECT pg_database_size(current_database()) AS bytes")?.get("bytes") ?? 0 }
    }

    var status: DatabaseStatus { listener.status }

    func backup(to path: String) async throws {
        let backup = content
        try await onThread("homeward-backup") { try backup.write(to: path) }
    }

    func restore(
        from path: String, folder: String, prepare: @escaping @Sendable (Transaction) throws -> Void
    ) async throws -> String? {
        let backup = content
        let copy = try await onThread("homeward-restore") {
            try backup.restore(from: path, folder: folder, prepare: prepare)
        }
        signal.tick()
        listener.announce()
        return copy
    }

    private var content: PostgresBackup {
        PostgresBackup(uri: uri, migrations: migrations, logger: logger, now: clock.now)
    }

    /// Runs blocking work on its own thread.
    private func onThread<T: Sendable>(_ name: String, _ work: @escaping @Sendable () throws -> T) async throws -> T {
        do {
            return try await withCheckedThrowingContinuation { continuation in
                threads.start(name) { continuation.resume(with: Result { try work() }) }
            }
        } catch let failure as PostgresFailure {
            throw failure.answer
        }
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
