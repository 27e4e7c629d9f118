import Foundation
import Kernel
import Storage

/// The tables `episode_day` and `episode_progress`.
enum EpisodeDayStore {
    /// A UTC day whose positions were divided into episodes.
    struct Day: Sendable {
        let day: Int64
        /// The number of its positions.
        let fixes: Int
        /// The time of its last position.
        let lastAt: Instant
        /// The state of the rule after its last position.
        let state: String
    }

    /// How far the episodes of an item are computed.
    struct Progress: Sendable {
        var version: Int64 = 0
        var fixes = 0
        /// The difference between the item's counter and the positions found by the last complete count.
        var uncounted = 0
        /// The day after which the episodes have to be computed again; `nil` for none.
        var changedAfter: Int64?
    }

    /// Returns items whose positions changed since their episodes were computed, in the order of their ids.
    /// - Parameter last: The last possible item; `nil` for no limit.
    static func outdated(
        after: ID<Item>?, until last: ID<Item>? = nil, limit: Int, in tx: Transaction
    ) throws -> [ID<Item>] {
        let end: SQL = last.map { "AND w.item_id <= \($0)" } ?? SQL()
        return try tx.rows(
            """
            SELECT w.item_id FROM whereabouts w LEFT JOIN episode_progress p ON p.item_id = w.item_id
            WHERE (
                (p.item_id IS NULL AND w.fixes > 0) OR p.changed_after IS NOT NULL
                OR w.fixes <> p.fixes + p.uncounted
            ) \(sql: .after(after, "w.item_id")) \(sql: end) ORDER BY w.item_id LIMIT \(limit)
            """
        ).map { try $0.get("item_id") }
    }

    /// Returns the item's counter of positions; `nil` for a deleted item.
    static func storedFixes(of item: ID<Item>, in tx: Transaction) throws -> Int? {
        try tx.row("SELECT fixes FROM whereabouts WHERE item_id = \(item)")?.get("fixes")
    }

    static func progress(of item: ID<Item>, in tx: Transaction) throws -> Progress {
        try tx.row(
            """
            SELECT version, fixes, uncounted, changed_after FROM episode_progress WHERE item_id = \(item)
            """
        ).map(progress) ?? Progress()
    }

    /// Returns the progress and locks its row until the transaction ends.
    static func lock(_ item: ID<Item>, in tx: Transaction) throws -> Progress? {
        try tx.execute(
            """
            INSERT INTO episode_progress (item_id, version)
            SELECT item_id, 0 FROM whereabouts WHERE item_id = \(item) ON CONFLICT (item_id) DO NOTHING
            """
        )
        return try tx.row(
            """
            SELECT version, fixes, uncounted, changed_after FROM episode_progress
            WHERE item_id = \(item) \(sql: tx.forUpdate)
            """
        ).map(progress)
    }

    static func store(_ progress: Progress, of item: ID<Item>, in tx: Transaction) throws {
        try tx.execute(
            """
            UPDATE episode_progress SET version = \(progress.version + 1), fixes = \(progress.fixes),
                uncounted = \(progress.uncounted), changed_after = \(progress.changedAfter)
            WHERE item_id = \(item)
            """
        )
    }

    private static func progress(_ row: Row) throws -> Progress {
        Progress(
            version: try row.get("version"), fixes: try row.get("fixes"), uncounted: try row.get("uncounted"),
            changedAfter: try row.get("changed_after"))
    }

    // MARK: Days

    static func day(_ day: Int64, of item: ID<Item>, in tx: Transaction) throws -> Day? {
        try tx.row(
            "SELECT day, fixes, last_at, state FROM episode_day WHERE item_id = \(item) AND day = \(day)"
        ).map(read)
    }

    /// Returns the last day before another one; `nil` reads the last of all days.
    static func last(before day: Int64? = nil, of item: ID<Item>, in tx: Transaction) throws -> Day? {
        let earlier: SQL = day.map { "AND day < \($0)" } ?? SQL()
        return try tx.row(
            """
            SELECT day, fixes, last_at, state FROM episode_day WHERE item_id = \(item) \(sql: earlier)
            ORDER BY day DESC LIMIT 1
            """
        ).map(read)
    }

    static func first(after day: Int64, of item: ID<Item>, in tx: Transaction) throws -> Int64? {
        try tx.row(
            "SELECT day FROM episode_day WHERE item_id = \(item) AND day > \(day) ORDER BY day LIMIT 1"
        )?.get("day")
    }

    static func store(_ day: Day, of item: ID<Item>, in tx: Transaction) throws {
        try tx.execute(
            """
            INSERT INTO episode_day (item_id, day, fixes, last_at, state)
            VALUES (\(item), \(day.day), \(day.fixes), \(day.lastAt), \(day.state))
            ON CONFLICT (item_id, day) DO UPDATE SET
                fixes = excluded.fixes, last_at = excluded.last_at, state = excluded.state
            """
        )
    }

    private static func read(_ row: Row) throws -> Day {
        Day(
            day: try row.get("day"), fixes: try row.get("fixes"), lastAt: try row.get("last_at"),
            state: try row.get("state"))
    }

    // MARK: Deleting

    /// Deletes all episodes of an item; they are computed again from its positions.
    static func deleteAll(of item: ID<Item>, in tx: Transaction) throws {
        try tx.execute("DELETE FROM episode WHERE item_id = \(item)")
        try tx.execute("DELETE FROM episode_day WHERE item_id = \(item)")
        try tx.execute("DELETE FROM episode_progress WHERE item_id = \(item)")
    }

    /// Deletes the episodes that ended before a day.
    /// - Parameter deleted: The number of positions that the same transaction deleted.
    static func expire(
        _ item: ID<Item>, before day: Int64, deleted: Int, in tx: Transaction
    ) throws {
        guard var progress = try lock(item, in: tx) else { return }
        let row = try tx.row(
            """
            SELECT COALESCE(CAST(SUM(fixes) AS BIGINT), 0) AS total FROM episode_day
            WHERE item_id = \(item) AND day < \(day)
            """
        )
        let removed: Int = try row?.get("total") ?? 0
        let start = ArchiveDay.start(of: day)
        try tx.execute("DELETE FROM episode_day WHERE item_id = \(item) AND day < \(day)")
        try tx.execute("DELETE FROM episode WHERE item_id = \(item) AND ended_at < \(start)")
        progress.fixes -= removed
        progress.uncounted += removed - deleted
        try store(progress, of: item, in: tx)
    }
}
