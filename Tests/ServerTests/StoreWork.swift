import Foundation
import Kernel
import Testing

@testable import Storage

/// The work of a store's engine so far: on SQLite the steps of its virtual machine by statement, on PostgreSQL the rows
/// that it read by table.
struct StoreWork {
    let counts: [String: Int64]

    init(of database: Database) async throws {
        counts =
            switch database.dialect {
            case .sqlite: try await Self.steps(of: database)
            case .postgres: try await Self.rows(of: database)
            }
    }

    /// What was added since `earlier`, by statement or table.
    func since(_ earlier: StoreWork) -> [String: Int64] {
        counts.reduce(into: [:]) { added, count in
            let difference = count.value - (earlier.counts[count.key] ?? 0)
            if difference > 0 { added[count.key] = difference }
        }
    }

    private static func steps(of database: Database) async throws -> [String: Int64] {
        let all = try await onEveryConnection(of: database, readers: Limits.databaseReaders, writers: 1) { tx in
            try #require(tx.connection as? SQLiteSession).stepCounts
        }
        return all.reduce(into: [:]) { sum, counts in sum.merge(counts, uniquingKeysWith: +) }
    }

    /// Returns the names of the tables of a PostgreSQL database to which `body` writes rows.
    static func writtenTables(of database: Database, during body: () async throws -> Void) async throws -> [String] {
        try await reportRows(of: database)
        try await database.write { _ = try $0.rows("SELECT pg_stat_reset()::text AS nothing") }
        try await body()
        try await reportRows(of: database)
        return try await database.read { tx in
            try tx.rows("SELECT relname::text AS name FROM pg_stat_user_tables WHERE n_tup_ins + n_tup_upd > 0")
                .map { try $0.get("name") }
        }
    }

    private static func rows(of database: Database) async throws -> [String: Int64] {
        try await reportRows(of: database)
        return try await database.read { tx in
            try tx.rows(
                """
                SELECT relname::text AS name, (seq_tup_read + COALESCE(idx_tup_fetch, 0))::bigint AS rows
                FROM pg_stat_user_tables
                """
            ).reduce(into: [:]) { $0[try $1.get("name", as: String.self)] = try $1.get("rows") }
        }
    }

    private static func reportRows(of database: Database) async throws {
        // Connections report what they read at most once a second, unless they are asked to. The second round finds
        // the transactions of the first one ended.
        for _ in 0..<2 {
            _ = try await onEveryConnection(
                of: database, readers: Limits.databaseReaders, writers: Limits.databaseWriters
            ) { tx in _ = try tx.rows("SELECT pg_stat_force_next_flush()::text AS nothing") }
        }
    }

    /// Runs `body` once on each connection: no closure ends before all of them have begun.
    private static func onEveryConnection<T: Sendable>(
        of database: Database, readers: Int, writers: Int, _ body: @escaping @Sendable (Transaction) throws -> T
    ) async throws -> [T] {
        let barrier = Barrier(of: readers + writers)
        return try await withThrowingTaskGroup(of: T.self) { group in
            for number in 0..<(readers + writers) {
                group.addTask {
                    let work: @Sendable (Transaction) throws -> T = { tx in
                        let result = try body(tx)
                        try barrier.wait()
                        return result
                    }
                    return number < readers ? try await database.read(work) : try await database.write(work)
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }
}

/// Lets threads continue when all of them have arrived.
private final class Barrier: @unchecked Sendable {
    struct Incomplete: Error {}

    private static let seconds = 60.0
    private let condition = NSCondition()
    // Guarded by `condition`.
    private var missing: Int

    init(of count: Int) { missing = count }

    func wait() throws {
        condition.lock()
        defer { condition.unlock() }
        missing -= 1
        if missing == 0 { condition.broadcast() }
        let end = Date(timeIntervalSinceNow: Self.seconds)
        while missing > 0 {
            guard condition.wait(until: end) else { throw Incomplete() }
        }
    }
}
