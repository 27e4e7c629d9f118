import Foundation
import GRDB
import Kernel
import Logging

/// The SQLite driver: one thread writes, a few threads read, and one checks for writes of other processes.
final class SQLiteDriver: Driver {
    let dialect = Dialect.sqlite
    let file: SQLiteFile
    let migrations: [Migration]
    let clock: any WallClock
    let logger: Logger
    let writes = BlockingQueue<any Job>(limit: Limits.writeQueue)
    private let reads = BlockingQueue<any Job>(limit: Limits.readQueue)
    private let signal = ChangeSignal()
    private let threads = WorkerThreads()
    private let readingThreads = WorkerThreads()
    private let stopWatching = DispatchSemaphore(value: 0)

    static func open(
        path: String, migrations: [Migration], logger: Logger, clock: any WallClock,
        opening: Database.Opening = .creating
    ) async throws -> SQLiteDriver {
        let driver = SQLiteDriver(path: path, migrations: migrations, logger: logger, clock: clock)
        try await driver.onThread("homeward-migrate") { try driver.start(opening) }
        return driver
    }

    private init(path: String, migrations: [Migration], logger: Logger, clock: any WallClock) {
        file = SQLiteFile(path: path)
        self.migrations = migrations
        self.logger = logger
        self.clock = clock
    }

    /// Runs blocking work on its own thread.
    func onThread<T: Sendable>(_ name: String, _ work: @escaping @Sendable () throws -> T) async throws -> T {
        try await withCheckedThrowingContinuation { continuation in
            threads.start(name) { continuation.resume(with: Result { try work() }) }
        }
    }

    private func start(_ opening: Database.Opening) throws {
        switch opening {
        case .creating:
            try file.createFolder()
            try file.create()
        case .existing: try file.requireContent()
        case .unchanged:
            try file.requireContent()
            return try startReading()
        }
        let writer = try file.connect()
        try SQLiteMigrator(file: file, migrations: migrations, logger: logger).migrate(writer, now: clock.now)
        let readers = try (0..<Limits.databaseReaders).map { _ in try file.connect(isReadOnly: true) }
        let watcher = try file.connect(isReadOnly: true)

        threads.start("homeward-write") { [writes, signal, logger, readingThreads] in
            writer.inDatabase { database in
                guard let session = try? SQLiteSession(database) else { return }
                SQLiteWriter(session: session, signal: signal, logger: logger).serve(writes)
            }
            // The last connection to close writes the log into the file and deletes it, which a read-only one can't do.
            readingThreads.waitUntilFinished()
            Self.close(writer, logger)
        }
        for reader in readers {
            readingThreads.start("homeward-read") { [reads, logger] in
                reader.inDatabase { database in
                    guard let session = try? SQLiteSession(database) else { return }
                    Self.serve(reads, session, logger)
                }
                Self.close(reader, logger)
            }
        }
        readingThreads.start("homeward-watch") { [stopWatching, signal, logger] in
            watcher.inDatabase { Self.watch($0, signal, until: stopWatching) }
            Self.close(watcher, logger)
        }
    }

    /// Serves reads only, by one connection that creates no file.
    private func startReading() throws {
        writes.close()
        let reader = try file.connectUnchanged()
        readingThreads.start("homeward-read") { [reads, logger] in
            reader.inDatabase { database in
                guard let session = try? SQLiteSession(database) else { return }
                Self.serve(reads, session, logger)
            }
            Self.close(reader, logger)
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

    func sizeBytes() async throws -> Int64 { try file.sizeBytes() }

    func stop() {
        writes.close()
        reads.close()
        stopWatching.signal()
        signal.finish()
    }

    func close() async {
        stop()
        await threads.finished()
        await readingThreads.finished()
    }

    private static func serve(_ reads: BlockingQueue<any Job>, _ session: SQLiteSession, _ logger: Logger) {
        while let job = reads.dequeue() {
            let transaction = Transaction(session)
            do {
                try session.execute("BEGIN")
                defer { try? session.execute("COMMIT") }
                try job.run(in: transaction)
            } catch {
                if let reason = (transaction.failure ?? error) as? SQLiteUnavailable {
                    logger.error("SQLite can't be read", metadata: ["reason": "\(reason)"])
                }
                job.fail(session.mapped(error))
                continue
            }
            job.succeed()
        }
    }

    private static func watch(_ database: GRDB.Database, _ signal: ChangeSignal, until stop: DispatchSemaphore) {
        guard let session = try? SQLiteSession(database) else { return }
        var seen: [SQLValue]?
        while stop.wait(timeout: .now() + .milliseconds(Limits.databasePollMilliseconds)) == .timedOut {
            guard let version = try? session.rows("PRAGMA data_version", limit: 1).first?.values else { continue }
            // Also after the first check, which doesn't show what was committed before it.
            if seen != version { signal.tick() }
            seen = version
        }
    }

    private static func close(_ queue: DatabaseQueue, _ logger: Logger) {
        do {
            try queue.close()
        } catch {
            logger.error("SQLite couldn't be closed", metadata: ["reason": "\(error)"])
        }
    }
}
