import Foundation
import GRDB
import Kernel

/// A SQLite file that ``Database/backup(to:)`` wrote.
package struct DatabaseFile: Sendable {
    /// What a file contains.
    package struct Summary: Sendable, Hashable {
        /// The titles of the applied migrations, for example `jobs/0001-jobs`, in order.
        package let migrations: [String]
        /// The number of rows by table, without the outbox.
        package let rows: [String: Int]
    }

    package let path: String

    package init(path: String) { self.path = path }

    /// Checks the file with SQLite's means, and counts its rows. Doesn't migrate it.
    /// - Throws: ``StorageError/backup(_:)`` if the file is damaged or isn't Homeward's.
    package func inspect() async throws -> Summary {
        try await withCheckedThrowingContinuation { continuation in
            WorkerThreads().start("homeward-inspect") { [path] in
                continuation.resume(with: Result { try Self.summary(of: path) })
            }
        }
    }

    private static func summary(of path: String) throws -> Summary {
        do {
            let queue = try SQLiteFile(path: path).connect(isReadOnly: true)
            defer { try? queue.close() }
            return try queue.inDatabase { database in
                let transaction = Transaction(try SQLiteSession(database))
                try SQLiteBackup.check(transaction, named: path)
                let migrations = try MigrationPlan.applied(in: transaction).map(\.title)
                var rows: [String: Int] = [:]
                for table in try ContentTable.all(in: transaction) {
                    rows[table.name] = try table.count(in: transaction)
                }
                return Summary(migrations: migrations, rows: rows)
            }
        } catch let error as DatabaseError {
            throw StorageError.backup("\(path) is damaged: \(error.message ?? "")")
        } catch let error as SQLiteUnavailable {
            throw StorageError.backup("\(path) can't be read: \(error)")
        }
    }
}
