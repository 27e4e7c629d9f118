package import Kernel
package import Storage

/// Keys of objects that must go. An upload notes its keys here *before* it writes objects and takes them out in the
/// transaction that makes the picture known: whatever is interrupted in between is swept up later.
package enum ObjectGarbage {
    /// Notes keys whose objects the next ``PictureLibrary/sweep()`` removes; a module may note keys of its own.
    /// - Parameter dueAt: when nobody can need their objects any more.
    package static func note(_ keys: [String], dueAt: Instant, in tx: Transaction) throws {
        for key in keys {
            _ = try tx.execute(
                """
                INSERT INTO object_garbage (object_key, due_at) VALUES (\(key), \(dueAt))
                ON CONFLICT (object_key) DO UPDATE SET due_at = excluded.due_at
                """
            )
        }
    }

    /// Takes keys out again that are not due yet.
    /// - Returns: whether all were there; if not, the sweep has removed objects, or is about to.
    static func reclaim(_ keys: [String], now: Instant, in tx: Transaction) throws -> Bool {
        try tx.execute("DELETE FROM object_garbage WHERE object_key IN \(list: keys) AND due_at > \(now)") == keys.count
    }

    /// Some keys that are due.
    static func due(now: Instant, limit: Int, in tx: Transaction) throws -> [String] {
        try tx.rows(
            "SELECT object_key FROM object_garbage WHERE due_at <= \(now) ORDER BY due_at, object_key LIMIT \(limit)"
        )
        .map { try $0.get("object_key") }
    }

    /// How many objects below a key's beginning wait to be removed.
    package static func count(below prefix: String, in tx: Transaction) throws -> Int {
        // After the beginning comes a slash's successor in the order of bytes.
        try tx.row(
            """
            SELECT COUNT(*) AS total FROM object_garbage
            WHERE object_key >= \(prefix) AND object_key < \(String(prefix.dropLast()) + "0")
            """
        )?.get("total") ?? 0
    }

    /// Whether an object is to be removed.
    package static func contains(_ key: String, in tx: Transaction) throws -> Bool {
        try tx.row("SELECT 1 AS found FROM object_garbage WHERE object_key = \(key)") != nil
    }

    /// Forgets keys whose objects are gone.
    static func forget(_ keys: [String], in tx: Transaction) throws {
        _ = try tx.execute("DELETE FROM object_garbage WHERE object_key IN \(list: keys)")
    }
}
