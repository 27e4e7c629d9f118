package import Kernel
package import Storage

/// One attempt to write a backup.
package struct BackupRun: Sendable, Hashable {
    /// What became of it.
    package enum Result: String, Sendable, SQLBindable, SQLReadable {
        case running
        /// It was read back, opened, verified and counted.
        case proved
        /// It was written to standard output, which can't be read back.
        case unproved
        /// The reason is in ``BackupRun/reason``.
        case failed
    }

    package let id: ID<BackupRun>
    package let startedAt: Instant
    /// When it was last known to make progress.
    package let seenAt: Instant
    package let finishedAt: Instant?
    /// Where it was written to, for people.
    package let destination: String
    /// Its name in the repository.
    package let name: String?
    package let result: Result
    /// Why it failed.
    package let reason: String?
    /// The bytes that were written.
    package let byteCount: Int64
    package let rowCount: Int
    package let objectsCopied: Int
    /// The objects that an earlier backup in the repository had.
    package let objectsReused: Int
}

/// What a finished backup contains.
package struct BackupFigures: Sendable, Hashable {
    package var byteCount: Int64 = 0
    package var rowCount = 0
    package var objectsCopied = 0
    package var objectsReused = 0

    package init() {}
}

/// The table of backups.
package enum BackupRunStore {
    /// The migrations of this module.
    package static let migrations = [
        Migration(
            module: "backups", name: "0001-runs",
            sql: """
                CREATE TABLE backup_run (
                    id {text} PRIMARY KEY,
                    started_at {integer} NOT NULL,
                    seen_at {integer} NOT NULL,
                    finished_at {integer},
                    destination {text} NOT NULL,
                    name {text},
                    result {text} NOT NULL CHECK (result IN ('running', 'proved', 'unproved', 'failed')),
                    reason {text},
                    byte_count {integer} NOT NULL DEFAULT 0,
                    row_count {integer} NOT NULL DEFAULT 0,
                    objects_copied {integer} NOT NULL DEFAULT 0,
                    objects_reused {integer} NOT NULL DEFAULT 0
                ) {strict};
                CREATE INDEX backup_run_started ON backup_run (started_at)
                """)
    ]

    /// Adds a run, ends those whose process ended, and removes the oldest.
    static func start(
        _ id: ID<BackupRun>, destination: String, name: String?, at now: Instant, in tx: Transaction
    ) throws {
        try tx.execute(
            """
            UPDATE backup_run SET result = 'failed', finished_at = \(now), reason = \("Its process ended.")
            WHERE result = 'running' AND seen_at < \(now.adding(seconds: -Limits.backupSilenceSeconds))
            """)
        try tx.execute(
            """
            INSERT INTO backup_run (id, started_at, seen_at, destination, name, result)
            VALUES (\(id), \(now), \(now), \(destination), \(name), 'running')
            """)
        try tx.execute(
            """
            DELETE FROM backup_run WHERE id NOT IN (
                SELECT id FROM backup_run ORDER BY started_at DESC, id DESC LIMIT \(Limits.backupRuns)
            )
            """)
    }

    /// Records that a run makes progress.
    static func touch(_ id: ID<BackupRun>, at now: Instant, in tx: Transaction) throws {
        try tx.execute("UPDATE backup_run SET seen_at = \(now) WHERE id = \(id)")
    }

    static func finish(
        _ id: ID<BackupRun>, _ result: BackupRun.Result, reason: String?, _ figures: BackupFigures, at now: Instant,
        in tx: Transaction
    ) throws {
        try tx.execute(
            """
            UPDATE backup_run SET result = \(result), reason = \(reason), seen_at = \(now), finished_at = \(now),
                byte_count = \(figures.byteCount), row_count = \(figures.rowCount),
                objects_copied = \(figures.objectsCopied), objects_reused = \(figures.objectsReused)
            WHERE id = \(id)
            """)
    }

    /// Removes the runs that weren't finished when a backup was made: among them is that backup's own.
    package static func removeUnfinished(in tx: Transaction) throws {
        try tx.execute("DELETE FROM backup_run WHERE result = 'running'")
    }

    /// Returns the newest runs first.
    static func newest(_ limit: Int, in tx: Transaction) throws -> [BackupRun] {
        try tx.rows("\(sql: columns) ORDER BY started_at DESC, id DESC LIMIT \(limit)").map(read)
    }

    /// Returns the newest run with a result.
    static func newest(_ result: BackupRun.Result, in tx: Transaction) throws -> BackupRun? {
        try tx.row("\(sql: columns) WHERE result = \(result) ORDER BY started_at DESC, id DESC LIMIT 1").map(read)
    }

    private static let columns: SQL = """
        SELECT id, started_at, seen_at, finished_at, destination, name, result, reason, byte_count, row_count,
            objects_copied, objects_reused
        FROM backup_run
        """

    private static func read(_ row: Row) throws -> BackupRun {
        BackupRun(
            id: try row.get("id"), startedAt: try row.get("started_at"), seenAt: try row.get("seen_at"),
            finishedAt: try row.get("finished_at"), destination: try row.get("destination"),
            name: try row.get("name"), result: try row.get("result"), reason: try row.get("reason"),
            byteCount: try row.get("byte_count"), rowCount: try row.get("row_count"),
            objectsCopied: try row.get("objects_copied"), objectsReused: try row.get("objects_reused"))
    }
}
