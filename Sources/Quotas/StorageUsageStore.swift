package import Kernel
package import Storage

/// The SQL of the tables `storage_usage` and `storage_total`: how much each account stores, as last counted.
package enum StorageUsageStore {
    /// An account with its usage, in the order of the list.
    package struct Entry: Sendable, Equatable {
        package let account: PersonID
        package let usage: StorageUsage
    }

    /// The end of a page of ``largest(after:limit:in:)``.
    package struct Cursor: Sendable, Equatable, CustomStringConvertible {
        let bytes: Int64
        let account: PersonID

        package init(_ entry: Entry) {
            bytes = entry.usage.bytes
            account = entry.account
        }

        /// - Returns: `nil` for a text that isn't a ``description``.
        package init?(_ text: String) {
            let parts = text.split(separator: "_", omittingEmptySubsequences: false)
            guard parts.count == 2, let bytes = Int64(parts[0]), let account = PersonID(parts[1]) else { return nil }
            self.bytes = bytes
            self.account = account
        }

        package var description: String { "\(bytes)_\(account)" }
    }

    /// Returns an account's usage as last counted; `nil` if it stores nothing.
    package static func usage(of account: PersonID, in tx: Transaction) throws -> StorageUsage? {
        try tx.row("SELECT pictures, picture_bytes, fixes FROM storage_usage WHERE account_id = \(account)").map(read)
    }

    /// Returns the accounts that store anything, the largest first.
    package static func largest(after cursor: Cursor?, limit: Int, in tx: Transaction) throws -> [Entry] {
        let range: SQL =
            if let cursor { "WHERE (bytes, account_id) < (\(cursor.bytes), \(cursor.account))" } else { "" }
        return try tx.rows(
            """
            SELECT account_id, pictures, picture_bytes, fixes FROM storage_usage \(sql: range)
            ORDER BY bytes DESC, account_id DESC LIMIT \(limit)
            """
        ).map { row in Entry(account: try row.get("account_id"), usage: try read(row)) }
    }

    /// Stores an account's usage. An account that stores nothing has no row.
    package static func set(_ usage: StorageUsage, of account: PersonID, in tx: Transaction) throws {
        guard usage != .nothing else { return try delete(account, in: tx) }
        try tx.execute(
            """
            INSERT INTO storage_usage (account_id, pictures, picture_bytes, fixes, bytes)
            VALUES (\(account), \(usage.pictures), \(usage.pictureBytes), \(usage.fixes), \(usage.bytes))
            ON CONFLICT (account_id) DO UPDATE SET pictures = excluded.pictures,
                picture_bytes = excluded.picture_bytes, fixes = excluded.fixes, bytes = excluded.bytes
            """
        )
    }

    /// Removes the figures of a deleted account.
    package static func delete(_ account: PersonID, in tx: Transaction) throws {
        try tx.execute("DELETE FROM storage_usage WHERE account_id = \(account)")
    }

    /// The usage of all accounts together; `nil` before the first count.
    package static func total(in tx: Transaction) throws -> StorageUsage? {
        try tx.row("SELECT pictures, picture_bytes, fixes FROM storage_total").map(read)
    }

    /// Stores the usage of all accounts together.
    package static func setTotal(_ usage: StorageUsage, in tx: Transaction) throws {
        try tx.execute(
            """
            INSERT INTO storage_total (id, pictures, picture_bytes, fixes)
            VALUES (1, \(usage.pictures), \(usage.pictureBytes), \(usage.fixes))
            ON CONFLICT (id) DO UPDATE SET pictures = excluded.pictures,
                picture_bytes = excluded.picture_bytes, fixes = excluded.fixes
            """
        )
    }

    private static func read(_ row: Row) throws -> StorageUsage {
        StorageUsage(
            pictures: try row.get("pictures"), pictureBytes: try row.get("picture_bytes"), fixes: try row.get("fixes"))
    }
}
