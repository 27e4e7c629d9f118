package import Kernel
package import Storage

/// The keys of objects to delete. An upload records its keys *before* it writes the objects and reclaims them in the
/// transaction that inserts the picture. The sweep deletes the objects of an interrupted upload.
package enum ObjectGarbage {
    /// Records keys whose objects the next ``PictureLibrary/sweep()`` deletes. Other modules may record their own
    /// keys.
    /// - Parameter dueAt: the time from which nothing needs the objects.
    package static func record(_ keys: [String], dueAt: Instant, in tx: Transaction) throws {
        for key in keys {
            try tx.execute(
                """
                INSERT INTO object_garbage (object_key, due_at) VALUES (\(key), \(dueAt))
                ON CONFLICT (object_key) DO UPDATE SET due_at = excluded.due_at
                """
            )
        }
    }

    /// Removes keys that aren't due yet.
    /// - Returns: whether all keys were there. If not, a sweep has deleted objects or is about to.
    static func reclaim(_ keys: [String], now: Instant, in tx: Transaction) throws -> Bool {
        try tx.executeCounting("DELETE FROM object_garbage WHERE object_key IN \(list: keys) AND due_at > \(now)")
            == keys.count
    }

    /// Returns at most `limit` keys that are due.
    static func due(now: Instant, limit: Int, in tx: Transaction) throws -> [String] {
        try tx.rows(
            "SELECT object_key FROM object_garbage WHERE due_at <= \(now) ORDER BY due_at, object_key LIMIT \(limit)"
        )
        .map { try $0.get("object_key") }
    }

    /// Returns the number of objects to delete whose keys have this prefix, which must end with a slash.
    package static func count(below prefix: String, in tx: Transaction) throws -> Int {
        // `0` follows the slash in byte order, so it ends the range of the prefix.
        try tx.row(
            """
            SELECT COUNT(*) AS total FROM object_garbage
            WHERE object_key >= \(prefix) AND object_key < \(String(prefix.dropLast()) + "0")
            """
        )?.get("total") ?? 0
    }

    /// Whether the object is recorded for deletion.
    package static func contains(_ key: String, in tx: Transaction) throws -> Bool {
        try tx.row("SELECT 1 AS found FROM object_garbage WHERE object_key = \(key)") != nil
    }

    /// Removes keys whose objects are deleted.
    static func forget(_ keys: [String], in tx: Transaction) throws {
        try tx.execute("DELETE FROM object_garbage WHERE object_key IN \(list: keys)")
    }
}
