package import Kernel
package import Logging

/// The one door to the data, the same for both engines.
///
/// A closure is synchronous and free of I/O: ids and time are made outside and passed in. It may run more than once,
/// and must not keep the transaction.
package final class Database: Sendable {
    let driver: any Driver

    init(driver: any Driver) { self.driver = driver }

    deinit { driver.stop() }

    /// Opens the database and brings its schema up to date; a SQLite file that holds data is backed up beside itself
    /// before that. Safe when several processes start at once.
    /// - Parameters:
    ///   - migrations: those of all modules, a module after those that it refers to.
    ///   - clock: for the instant that a migration was applied.
    ///   - machineClock: this computer's clock, which is compared with the database's.
    /// - Throws: ``StorageError/schemaNewer(_:)``, ``StorageError/migrationChanged(_:)``,
    ///   ``StorageError/cannotOpen(_:)``, ``StorageError/unreachable(_:)`` for a server that isn't there, or what a
    ///   migration's statement throws.
    package static func open(
        _ url: DatabaseURL, migrations: [Migration], logger: Logger, clock: any WallClock,
        machineClock: any WallClock = SystemClock()
    ) async throws -> Database {
        let driver: any Driver =
            switch url.kind {
            case .sqlite(let path):
                try await SQLiteDriver.open(path: path, migrations: migrations, logger: logger, clock: clock)
            case .postgres(let uri):
                try await PostgresDriver.open(
                    uri: uri, migrations: migrations, logger: logger, clock: clock, machineClock: machineClock)
            }
        return Database(driver: driver)
    }

    /// The engine.
    package var dialect: Dialect { driver.dialect }

    /// Runs `body` in a transaction of its own and returns when the change is on disk. A caller that is cancelled
    /// meanwhile changes nothing about that.
    /// - Throws: what `body` throws, with nothing changed; `AppError(.unavailable)` when the store can't take the
    ///   change now; ``StorageError/outcomeUnknown``.
    @discardableResult
    package func write<T: Sendable>(_ body: @escaping @Sendable (Transaction) throws -> T) async throws -> T {
        try await driver.write(body)
    }

    /// As ``write(_:)`` for a closure without a result, a little cheaper: for what devices send all day.
    package func commit(_ body: @escaping @Sendable (Transaction) throws -> Void) async throws {
        try await driver.commit(body)
    }

    /// Runs `body` on one state of the data; it can't change anything.
    /// - Throws: what `body` throws; `AppError(.unavailable)` when the store can't be read now.
    package func read<T: Sendable>(_ body: @escaping @Sendable (Transaction) throws -> T) async throws -> T {
        try await driver.read(body)
    }

    /// Ticks when the outbox may have grown, by this process or another, and once at the start. Ticks melt into one
    /// while the reader is busy. Ends when the database is closed.
    package func changes() -> AsyncStream<Void> { driver.changes() }

    /// Writes a copy of the SQLite file, made while the server goes on, to a new file at `path`.
    /// - Throws: ``StorageError/backup(_:)`` when the file exists or can't be written, and on PostgreSQL.
    package func backup(to path: String) async throws { try await driver.backup(to: path) }

    /// Replaces the content by a backup's, at one stroke, beside running servers, after a copy of the present content
    /// was put beside the SQLite file. The backup itself stays as it is; an older schema is migrated.
    /// - Parameter prepare: works on the restored content before it takes effect, such as publishing events so that
    ///   open pages notice.
    /// - Returns: the path of the copy.
    /// - Throws: ``StorageError/backup(_:)`` when the file isn't a backup of ours or is damaged, and on PostgreSQL;
    ///   ``StorageError/schemaNewer(_:)``.
    package func restore(
        from path: String, prepare: @escaping @Sendable (Transaction) throws -> Void = { _ in }
    ) async throws -> String {
        try await driver.restore(from: path, prepare: prepare)
    }

    /// How the store is doing, as far as this process noticed a moment ago.
    package var status: DatabaseStatus { driver.status }

    /// Finishes what is queued, then closes. Later calls get `AppError(.unavailable)`.
    package func close() async { await driver.close() }
}

/// An engine behind ``Database``.
protocol Driver: Sendable {
    var dialect: Dialect { get }
    func write<T: Sendable>(_ body: @escaping @Sendable (Transaction) throws -> T) async throws -> T
    func commit(_ body: @escaping @Sendable (Transaction) throws -> Void) async throws
    func read<T: Sendable>(_ body: @escaping @Sendable (Transaction) throws -> T) async throws -> T
    func changes() -> AsyncStream<Void>
    var status: DatabaseStatus { get }
    func backup(to path: String) async throws
    func restore(
        from path: String, prepare: @escaping @Sendable (Transaction) throws -> Void
    ) async throws -> String
    /// Takes no more work; returns at once.
    func stop()
    /// Takes no more work; returns when all is done and closed.
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
        .unavailable, "The data can't be reached at the moment. Please try again later.")
    static let nullCharacter = AppError(.invalid, "Text must not hold the null character.")
    static let notFinite = AppError(.invalid, "A number must be finite.")
}
