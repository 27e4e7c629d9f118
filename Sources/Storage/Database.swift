package import Kernel
package import Logging

/// The database, with the same interface for SQLite and PostgreSQL.
///
/// A transaction's closure is synchronous and does no I/O: create ids and read the clock before it. It may run more
/// than once, and must not keep the transaction.
package final class Database: Sendable {
    let driver: any Driver
    /// The times of all read transactions.
    package let readTimes = TransactionTimes()
    /// The times of all write transactions.
    package let writeTimes = TransactionTimes()

    init(driver: any Driver) { self.driver = driver }

    deinit { driver.stop() }

    /// Whether a database may be created or changed when it is opened.
    package enum Opening: Sendable {
        /// Creates a missing one, and applies the pending migrations.
        case creating
        /// Applies the pending migrations; a missing one is an error.
        case existing
        /// Changes nothing and creates no file. Writes fail later, too.
        case unchanged
    }

    /// Opens the database and applies the pending migrations. A SQLite file with content is backed up to the same
    /// folder before that. Several processes may start at the same time.
    /// - Parameters:
    ///   - migrations: the migrations of all modules; a module comes after those that it refers to.
    ///   - clock: gives the time at which a migration was applied.
    ///   - machineClock: this computer's clock, which is compared with the database's clock.
    /// - Throws: ``StorageError/schemaNewer(_:)``, ``StorageError/migrationChanged(_:)``,
    ///   ``StorageError/cannotOpen(_:)``, ``StorageError/missing(_:)``, ``StorageError/unreachable(_:)`` if the server
    ///   can't be reached, or the error of a migration's statement.
    package static func open(
        _ url: DatabaseURL, migrations: [Migration], logger: Logger, clock: any WallClock,
        machineClock: any WallClock = SystemClock(), opening: Opening = .creating
    ) async throws -> Database {
        let driver: any Driver =
            switch url.kind {
            case .sqlite(let path):
                try await SQLiteDriver.open(
                    path: path, migrations: migrations, logger: logger, clock: clock, opening: opening)
            case .postgres(let uri):
                try await PostgresDriver.open(
                    uri: uri, migrations: migrations, logger: logger, clock: clock, machineClock: machineClock,
                    opening: opening)
            }
        return Database(driver: driver)
    }

    package var dialect: Dialect { driver.dialect }

    /// Runs `body` in its own transaction and returns when the change is on disk. Cancelling the caller doesn't stop
    /// the transaction.
    /// - Throws: the error of `body`, with nothing changed; `AppError(.unavailable)` if the store can't accept the
    ///   change now; ``StorageError/outcomeUnknown``.
    @discardableResult
    package func write<T: Sendable>(_ body: @escaping @Sendable (Transaction) throws -> T) async throws -> T {
        let started = TransactionTimes.now
        defer { writeTimes.record(since: started) }
        return try await driver.write(body)
    }

    /// Runs `body` for each of several entries in a transaction of its own, so that one failure doesn't block the
    /// others.
    /// - Parameter failed: gets each error of `body` except cancellation.
    /// - Throws: `CancellationError`.
    package func write<Entry: Sendable>(
        each entries: [Entry], _ body: @escaping @Sendable (Entry, Transaction) throws -> Void,
        failed: (Entry, any Error) -> Void
    ) async throws {
        for entry in entries {
            do {
                try await write { tx in try body(entry, tx) }
            } catch let error as CancellationError {
                throw error
            } catch {
                failed(entry, error)
            }
        }
    }

    /// Does the same as ``write(_:)`` for a closure without a result, at a lower cost. Use it for frequent writes of
    /// devices.
    package func commit(_ body: @escaping @Sendable (Transaction) throws -> Void) async throws {
        let started = TransactionTimes.now
        defer { writeTimes.record(since: started) }
        try await driver.commit(body)
    }

    /// Runs `body` on one consistent state of the data. `body` can't change anything.
    /// - Throws: the error of `body`; `AppError(.unavailable)` if the store can't be read now.
    package func read<T: Sendable>(_ body: @escaping @Sendable (Transaction) throws -> T) async throws -> T {
        let started = TransactionTimes.now
        defer { readTimes.record(since: started) }
        return try await driver.read(body)
    }

    /// Returns a stream that ticks once at the start, and when the outbox may have grown in any process. Ticks are
    /// merged into one while the reader is busy. The stream ends when the database is closed.
    package func changes() -> AsyncStream<Void> { driver.changes() }

    /// Copies the content to a new SQLite file at `path`, while servers run. PostgreSQL's content is read from one
    /// snapshot.
    /// - Throws: ``StorageError/backup(_:)`` if the file exists or can't be written.
    package func backup(to path: String) async throws { try await driver.backup(to: path) }

    /// Replaces the content with that of a SQLite file that ``backup(to:)`` wrote, on either engine, in one
    /// transaction, while servers run. Before that, it copies the present content. It migrates an older schema, and
    /// doesn't change the backup file. Events of the outbox aren't restored.
    /// - Parameters:
    ///   - folder: the folder for temporary files and for the copy of PostgreSQL's present content; `nil` for the
    ///     backup's folder. SQLite uses its own folder.
    ///   - prepare: changes the restored content before it takes effect; for example, publishes events for open pages.
    /// - Returns: the path of the copy; `nil` if PostgreSQL had no content.
    /// - Throws: ``StorageError/backup(_:)`` if the file is damaged or isn't a Homeward backup;
    ///   ``StorageError/schemaNewer(_:)``.
    package func restore(
        from path: String, folder: String? = nil,
        prepare: @escaping @Sendable (Transaction) throws -> Void = { _ in }
    ) async throws -> String? {
        try await driver.restore(from: path, folder: folder ?? DurableFile.folder(of: path), prepare: prepare)
    }

    /// The size of the database on disk. On PostgreSQL, it is that of the whole database.
    /// - Throws: as ``read(_:)``; an error of the file system.
    package func sizeBytes() async throws -> Int64 { try await driver.sizeBytes() }

    /// The state of the store as this process last observed it.
    package var status: DatabaseStatus { driver.status }

    /// Completes the queued work, then closes. Later calls throw `AppError(.unavailable)`.
    package func close() async { await driver.close() }
}

/// A database engine behind ``Database``.
protocol Driver: Sendable {
    var dialect: Dialect { get }
    func write<T: Sendable>(_ body: @escaping @Sendable (Transaction) throws -> T) async throws -> T
    func commit(_ body: @escaping @Sendable (Transaction) throws -> Void) async throws
    func read<T: Sendable>(_ body: @escaping @Sendable (Transaction) throws -> T) async throws -> T
    func changes() -> AsyncStream<Void>
    var status: DatabaseStatus { get }
    func sizeBytes() async throws -> Int64
    func backup(to path: String) async throws
    func restore(
        from path: String, folder: String, prepare: @escaping @Sendable (Transaction) throws -> Void
    ) async throws -> String?
    /// Rejects new work; returns at once.
    func stop()
    /// Rejects new work; returns when the queued work is done and all connections are closed.
    func close() async
}

extension Driver {
    var status: DatabaseStatus { DatabaseStatus() }
}

extension AppError {
    static let storeBusy = AppError(.unavailable, "The server is busy. Please try again in a moment.")
    static let storeClosed = AppError(.unavailable, "The server is stopping. Please try again in a moment.")
    static let storeUnavailable = AppError(.unavailable, "Nothing can be saved at the moment. Please try again later.")
    static let storeUnreachable = AppError(
        .unavailable, "The data can’t be reached at the moment. Please try again later.")
    static let nullCharacter = AppError(.invalid, "Text must not contain the null character.")
    static let notFinite = AppError(.invalid, "A number must be finite.")
}
