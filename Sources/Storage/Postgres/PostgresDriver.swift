import Foundation
import Kernel
import Logging
import Synchronization

/// The PostgreSQL driver: a few connections, each with its own thread, and one connection that listens.
final class PostgresDriver: Driver {
    let dialect = Dialect.postgres
    private let uri: String
    private let deadlines: PostgresDeadlines
    private let logger: Logger
    private let queue = BlockingQueue<PostgresTask>(limit: Limits.writeQueue)
    private let signal = ChangeSignal()
    private let threads = WorkerThreads()
    private let workerCount = Mutex(0)
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
        listener = try PostgresListener(
            uri: uri, deadlines: listening, signal: signal, machineClock: machineClock, logger: logger)
    }

    private func prepare(_ migrations: [Migration], now: Instant) throws {
        let connection = try PostgresConnection(uri: uri, deadlines: deadlines)
        let isFlushing = try connection.rows("SHOW fsync", limit: 1).first?.get("fsync", as: String.self)
        if isFlushing != "on" {
            logger.warning("PostgreSQL runs with fsync off: a power cut loses what was confirmed")
        }
        try PostgresMigrator(migrations: migrations, logger: logger).migrate(connection, now: now)
        try listener.compareClocks(connection)
    }

    func write<T: Sendable>(_ body: @escaping @Sendable (Transaction) throws -> T) async throws -> T {
        try await queue.perform(body, wrap: { PostgresTask(job: $0, isWrite: true) }, onCrowded: addWorker)
    }

    func commit(_ body: @escaping @Sendable (Transaction) throws -> Void) async throws {
        try await queue.perform(body, wrap: { PostgresTask(job: $0, isWrite: true) }, onCrowded: addWorker)
    }

    func read<T: Sendable>(_ body: @escaping @Sendable (Transaction) throws -> T) async throws -> T {
        try await queue.perform(body, wrap: { PostgresTask(job: $0, isWrite: false) }, onCrowded: addWorker)
    }

    private func addWorker() {
        let number = workerCount.withLock { count -> Int? in
            guard count < Limits.databaseConnections else { return nil }
            count += 1
            return count
        }
        guard let number else { return }
        threads.start("homeward-sql-\(number)") { [uri, deadlines, signal, listener, logger, queue] in
            PostgresWorker(uri: uri, deadlines: deadlines, signal: signal, listener: listener, logger: logger)
                .serve(queue)
        }
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
        queue.close()
        listener.stop()
        signal.finish()
    }

    func close() async {
        stop()
        await threads.finished()
    }
}
