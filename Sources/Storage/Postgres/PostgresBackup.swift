import Foundation
import Kernel
import Logging

/// Copies the content of a PostgreSQL database to a SQLite file, and back.
struct PostgresBackup {
    /// Restores must not depend on how long other transactions take; a snapshot may be open for hours.
    private static let patientSettings = """
        SET idle_in_transaction_session_timeout = 0; SET lock_timeout = '\(Limits.restoreLockSeconds)s'
        """

    let uri: String
    let migrations: [Migration]
    let logger: Logger
    let now: Instant

    /// Writes a complete copy of one snapshot or none.
    func write(to path: String) throws {
        guard !FileManager.default.fileExists(atPath: path) else {
            throw StorageError.backup("\(path) is there already")
        }
        let connection = try connect()
        connection.isReading = true
        do {
            try connection.begin(PostgresRunner.Beginning.reading.statements)
            try write(Transaction(connection), of: connection, to: path)
            try connection.endReading()
        } catch {
            throw connection.mapped(error)
        }
    }

    private func write(_ transaction: Transaction, of connection: PostgresConnection, to path: String) throws {
        let file = try SQLiteContentFile.create(
            "\(path).\(getpid()).part", migrations: migrations, logger: logger, now: now)
        do {
            try PostgresContent(connection: connection, transaction: transaction).copy(to: file)
            try file.finish(as: path)
        } catch {
            file.discard()
            throw error
        }
    }

    /// Replaces the content with that of a SQLite file, in one transaction.
    /// - Returns: the path of a copy of the previous content; `nil` if there was none.
    func restore(
        from path: String, folder: String, prepare: (Transaction) throws -> Void
    ) throws -> String? {
        let file = try SQLiteContentFile.load(
            path, to: "\(folder)/restore-\(getpid()).sqlite", migrations: migrations, logger: logger, now: now)
        defer { file.discard() }
        let connection = try connect()
        do {
            return try file.read { sqlite in
                try connection.begin(PostgresRunner.Beginning.writing.statements)
                let transaction = Transaction(connection)
                let content = PostgresContent(connection: connection, transaction: transaction)
                let tables = try ContentTable.all(in: Transaction(sqlite))
                try content.lock(tables)
                let copy = try copyPrevious(tables, transaction, of: connection, folder: folder)
                try content.replace(with: sqlite, tables)
                try prepare(transaction)
                try transaction.checkFailure()
                guard try connection.commit() == "COMMIT" else { throw StorageError.transactionFailed }
                return copy
            }
        } catch {
            throw connection.mapped(error)
        }
    }

    private func copyPrevious(
        _ tables: [ContentTable], _ transaction: Transaction, of connection: PostgresConnection, folder: String
    ) throws -> String? {
        guard try tables.contains(where: { try $0.count(in: transaction) > 0 }) else { return nil }
        let stem = SQLiteFile(path: "\(folder)/postgres")
        let copy = SQLiteCopyRetention.freeName(for: stem)
        try write(transaction, of: connection, to: copy)
        SQLiteCopyRetention.prune(of: stem, SQLiteCopyRetention.beforeRestore, logger: logger)
        return copy
    }

    private func connect() throws -> PostgresConnection {
        let connection = try PostgresConnection(uri: uri, deadlines: .migrating)
        try connection.run(Self.patientSettings)
        return connection
    }
}
