import Kernel

/// The operations that a driver provides to a transaction. One thread uses it at a time.
protocol SQLConnection: AnyObject {
    var dialect: Dialect { get }
    /// Runs a statement, or sends it with the next one whose result is needed.
    func execute(_ sql: SQL) throws
    func execute(_ statement: FixedSQL, _ values: [SQLValue]) throws
    func executeCounting(_ sql: SQL) throws -> Int
    func executeCounting(_ statement: FixedSQL, _ values: [SQLValue]) throws -> Int
    func rows(_ sql: SQL, limit: Int) throws -> [Row]
    func rows(_ statement: FixedSQL, _ values: [SQLValue], limit: Int) throws -> [Row]
    /// Runs a statement, and calls `use` with all its rows, at the latest before the commit.
    func rowsLater(_ statement: FixedSQL, _ values: [SQLValue], use: @escaping ([Row]) throws -> Void) throws
    /// Waits for the rows of these statements, unless all were used.
    func useLaterRows() throws
    /// Inserts an outbox row, at the latest before the commit.
    func insert(_ event: ChangeEvent) throws
    /// An expression for a sequence below which every event is visible to this transaction or will never exist. `nil`
    /// if that holds for all visible entries.
    var outboxWatermark: SQL? { get }
    /// Converts one of this driver's own errors for the caller.
    func mapped(_ error: any Error) -> any Error
}

/// A transaction, valid only inside the closure that receives it.
///
/// If a statement fails, the transaction fails, even if the closure catches the error. The engines differ in which
/// changes they would keep, so none are kept.
package final class Transaction {
    let connection: any SQLConnection
    private(set) var hooks: [@Sendable () -> Void] = []
    private(set) var eventCount = 0
    /// The driver's own error that made the transaction fail.
    private(set) var failure: (any Error)?

    init(_ connection: any SQLConnection) { self.connection = connection }

    /// Resets the object for the next closure, so that a batch of closures needs only one.
    func restart() {
        if !hooks.isEmpty { hooks = [] }
        eventCount = 0
        failure = nil
    }

    package var dialect: Dialect { connection.dialect }

    var outboxWatermark: SQL? { connection.outboxWatermark }

    /// Runs a statement that returns no rows. On PostgreSQL it is sent together with the next statement whose result is
    /// needed, or with the commit; its error is thrown by a later statement or by the commit. Statements that are sent
    /// together have the deadline of one statement.
    /// - Throws: ``StorageError`` if the engine rejects it, `AppError(.invalid)` for a value that can't be stored (text
    ///   with the null character, a number that isn't finite), `AppError(.unavailable)` if the disk is full.
    package func execute(_ sql: SQL) throws {
        try running { try connection.execute(sql) }
    }

    /// Runs a fixed statement that returns no rows.
    /// - Throws: as ``execute(_:)``.
    package func execute(_ statement: FixedSQL, _ values: [SQLValue]) throws {
        try running { try connection.execute(statement, values) }
    }

    /// Runs a statement that may take long, such as the deletion of everything that has expired, and waits for its end.
    /// - Throws: as ``execute(_:)``.
    package func executeAndWait(_ sql: SQL) throws { _ = try executeCounting(sql) }

    /// Runs a statement that returns no rows, and waits for its result.
    /// - Returns: the number of changed rows.
    /// - Throws: as ``execute(_:)``.
    package func executeCounting(_ sql: SQL) throws -> Int {
        try running { try connection.executeCounting(sql) }
    }

    /// Runs a fixed statement that returns no rows, and waits for its result.
    /// - Returns: the number of changed rows.
    /// - Throws: as ``execute(_:)``.
    package func executeCounting(_ statement: FixedSQL, _ values: [SQLValue]) throws -> Int {
        try running { try connection.executeCounting(statement, values) }
    }

    /// Runs a fixed statement and returns all rows: limit them with LIMIT.
    /// - Throws: as ``execute(_:)``.
    package func rows(_ statement: FixedSQL, _ values: [SQLValue]) throws -> [Row] {
        try running { try connection.rows(statement, values, limit: .max) }
    }

    /// Runs a fixed statement and returns its first row.
    /// - Throws: as ``execute(_:)``.
    package func row(_ statement: FixedSQL, _ values: [SQLValue]) throws -> Row? {
        try running { try connection.rows(statement, values, limit: 1).first }
    }

    /// Runs a fixed statement whose rows aren't needed at once. On PostgreSQL this saves a round trip.
    /// - Parameter use: gets all rows, and may run further statements in this transaction. It is called immediately on
    ///   SQLite, and on PostgreSQL with the next statement whose result is needed, or before the commit. If it throws,
    ///   that statement or the commit throws its error, and the transaction fails.
    /// - Throws: as ``execute(_:)``.
    package func rowsLater(
        _ statement: FixedSQL, _ values: [SQLValue], use: @escaping ([Row]) throws -> Void
    ) throws {
        try running { try connection.rowsLater(statement, values, use: use) }
    }

    /// Calls the closures of ``rowsLater(_:_:use:)`` that weren't called yet.
    /// - Throws: as ``execute(_:)``; the error of a closure.
    package func useLaterRows() throws { try running { try connection.useLaterRows() } }

    /// Runs a statement and returns all rows: limit them with LIMIT.
    /// - Throws: as ``execute(_:)``.
    package func rows(_ sql: SQL) throws -> [Row] {
        try running { try connection.rows(sql, limit: .max) }
    }

    /// Runs a statement and returns its first row.
    /// - Throws: as ``execute(_:)``.
    package func row(_ sql: SQL) throws -> Row? {
        try running { try connection.rows(sql, limit: 1).first }
    }

    /// The clause that locks the rows of a SELECT until the end of the transaction: `"SELECT … \(sql: tx.forUpdate)"`.
    /// Empty on SQLite, which has one writer.
    package var forUpdate: SQL {
        switch dialect {
        case .sqlite: SQL()
        case .postgres: "FOR UPDATE"
        }
    }

    /// Like ``forUpdate``, for the rows of one table of a join.
    package func forUpdate(of table: SQL) -> SQL {
        switch dialect {
        case .sqlite: SQL()
        case .postgres: "FOR UPDATE OF \(sql: table)"
        }
    }

    /// Like ``forUpdate``, for rows that are changed but not deleted: other transactions may insert rows that reference
    /// them.
    package var forChange: SQL {
        switch dialect {
        case .sqlite: SQL()
        case .postgres: "FOR NO KEY UPDATE"
        }
    }

    /// Inserts an event into the outbox in this transaction. On PostgreSQL it is inserted together with others, at the
    /// latest with the commit.
    /// - Throws: as ``execute(_:)``; ``StorageError/transactionFailed`` for more than ``Limits/eventsPerTransaction``
    ///   events.
    package func publish(_ event: ChangeEvent) throws {
        guard eventCount < Limits.eventsPerTransaction else { throw StorageError.transactionFailed }
        try running { try connection.insert(event) }
        eventCount += 1
    }

    /// Inserts several events into the outbox in their order.
    /// - Throws: as ``publish(_:)`` for one event.
    package func publish(_ events: [ChangeEvent]) throws {
        for event in events { try publish(event) }
    }

    /// Registers `work` to run in this process after the commit, before the writer gets its result; it doesn't run
    /// after a rollback. It runs on the database's thread, so keep it short: for example, remove a cache entry.
    package func afterCommit(_ work: @escaping @Sendable () -> Void) { hooks.append(work) }

    private func running<T>(_ work: () throws -> T) throws -> T {
        guard failure == nil else { throw StorageError.transactionFailed }
        do {
            return try work()
        } catch {
            // A statement within the closure of another one may have failed first.
            if failure == nil { failure = error }
            throw connection.mapped(error)
        }
    }

    /// Ends the closure. An error that the closure caught still counts.
    func checkFailure() throws {
        if let failure { throw connection.mapped(failure) }
    }
}
