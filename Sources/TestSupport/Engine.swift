package import Kernel
package import Logging
package import Storage

/// The engines that every test of a store runs on: `@Test(arguments: Engine.allCases)`.
package enum Engine: String, CaseIterable, Sendable {
    /// A file in a temporary folder.
    case sqlite
    /// A database on a server that the tests start themselves.
    case postgres

}

/// Gives `body` a new database of its own, closed afterwards.
@discardableResult
package func withDatabase<T>(
    _ engine: Engine, migrations: [Migration] = [], clock: any WallClock = TestClock(), logger: Logger = .silent,
    machineClock: any WallClock = SystemClock(), _ body: (Database) async throws -> T
) async throws -> T {
    try await withDatabaseURL(engine, migrations: migrations) { url in
        let database = try await Database.open(
            url, migrations: migrations, logger: logger, clock: clock, machineClock: machineClock)
        do {
            let result = try await body(database)
            await database.close()
            return result
        } catch {
            await database.close()
            throw error
        }
    }
}

/// Gives `body` the URL of a new database, for tests that open it themselves, several times or with other settings.
/// - Parameter migrations: what PostgreSQL's database has from the start; SQLite's file isn't there yet.
@discardableResult
package func withDatabaseURL<T>(
    _ engine: Engine, migrations: [Migration] = [], _ body: (DatabaseURL) async throws -> T
) async throws -> T {
    try await Places.databases.hold {
        switch engine {
        case .sqlite:
            let folder = try TemporaryFolder()
            return try await body(.sqlite(path: folder.file("homeward.sqlite")))
        case .postgres:
            let cluster = try await PostgresCluster.shared()
            return try await body(try await cluster.makeDatabase(migrations))
        }
    }
}

/// This computer's clock, if it were wrong.
package struct WrongClock: WallClock {
    private let seconds: Int64

    /// Makes a clock that is ahead by so many seconds; behind for less than 0.
    package init(aheadBySeconds seconds: Int64) { self.seconds = seconds }

    /// The wrong present.
    package var now: Instant { SystemClock().now.adding(seconds: seconds) }
}

extension Logger {
    /// Says nothing.
    package static let silent = Logger(label: "homeward.test") { _ in SwiftLogNoOpLogHandler() }
}
