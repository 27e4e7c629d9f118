import Foundation
package import Kernel
package import Logging
package import Storage

/// The database engines that every store test runs on: `@Test(arguments: Engine.allCases)`.
package enum Engine: String, CaseIterable, Sendable {
    /// A file in a temporary folder.
    case sqlite
    /// A database on a server that the tests start themselves.
    case postgres

    /// Both engines, or only the one that the environment variable `HOMEWARD_TEST_ENGINE` names.
    package static let allCases: [Engine] = {
        let name = ProcessInfo.processInfo.environment["HOMEWARD_TEST_ENGINE"] ?? ""
        return Engine(rawValue: name).map { [$0] } ?? [.sqlite, .postgres]
    }()
}

/// Calls `body` with a new, empty database and closes it afterwards.
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

/// Calls `body` with the URL of a new database, for tests that open it themselves, several times or with other
/// settings.
/// - Parameter migrations: the schema that the database has from the start. Without migrations, an SQLite file doesn't
///   exist yet.
@discardableResult
package func withDatabaseURL<T>(
    _ engine: Engine, migrations: [Migration] = [], _ body: (DatabaseURL) async throws -> T
) async throws -> T {
    try await Places.databases.hold {
        switch engine {
        case .sqlite:
            let folder = try TemporaryFolder()
            let path = folder.file("homeward.sqlite")
            if !migrations.isEmpty { try await SQLiteTemplates.copy(for: migrations, to: path) }
            return try await body(.sqlite(path: path))
        case .postgres:
            return try await PostgresCluster.shared().withDatabase(migrations, body)
        }
    }
}

/// A clock that differs from the system's clock by a fixed offset.
package struct OffsetClock: WallClock {
    private let seconds: Int64

    /// - Parameter seconds: how far the clock is ahead; negative for a clock that is behind.
    package init(aheadBySeconds seconds: Int64) { self.seconds = seconds }

    package var now: Instant { SystemClock().now.adding(seconds: seconds) }
}

extension Logger {
    /// A logger that discards all entries.
    package static let silent = Logger(label: "homeward.test") { _ in SwiftLogNoOpLogHandler() }
}
