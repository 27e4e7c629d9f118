import Crypto
import Kernel
package import Objects
package import Storage

/// What a backup contains: everything that a server needs to start on an empty machine.
package struct BackupSubject: Sendable {
    let database: Database
    let objects: any ObjectStore
    /// The prefix of objects that needn't outlive the server; `nil` without such.
    let temporaryPrefix: String?
    /// The key files by name.
    let keys: [String: [UInt8]]
    /// The settings in effect, one `HOMEWARD_NAME=value` a line.
    let settings: String
    /// Reads the file with the end of the ledger's chain.
    let ledgerHead: @Sendable () throws -> [UInt8]?

    package init(
        database: Database, objects: any ObjectStore, temporaryPrefix: String? = nil, keys: [String: [UInt8]],
        settings: String, ledgerHead: @escaping @Sendable () throws -> [UInt8]?
    ) {
        self.database = database
        self.objects = objects
        self.temporaryPrefix = temporaryPrefix
        self.keys = keys
        self.settings = settings
        self.ledgerHead = ledgerHead
    }

    /// The size of the database in bytes.
    func databaseBytes() async throws -> Int64 {
        try await database.read { tx in
            let sql: SQL =
                switch tx.dialect {
                case .sqlite: "SELECT page_count * page_size AS size FROM pragma_page_count, pragma_page_size"
                case .postgres: "SELECT pg_database_size(current_database()) AS size"
                }
            return try tx.row(sql)?.get("size") ?? 0
        }
    }

    /// Calls `body` with the keys of all objects except temporary ones. The database, which is copied before, needs no
    /// object that is added afterwards.
    func forEachObjectKey(_ body: (String) async throws -> Void) async throws {
        var last: String?
        while true {
            let page = try await objects.keys(below: "", after: last, limit: Limits.objectPage)
            for key in page where !isTemporary(key) { try await body(key) }
            guard page.count == Limits.objectPage else { return }
            last = page.last
        }
    }

    private func isTemporary(_ key: String) -> Bool { temporaryPrefix.map(key.hasPrefix) ?? false }
}
