import Kernel

/// What a driver does for a transaction. Used by one thread at a time.
protocol SQLConnection: AnyObject {
    var dialect: Dialect { get }
    func execute(_ sql: SQL) throws -> Int
    func execute(_ statement: FixedSQL, _ values: [SQLValue]) throws -> Int
    func rows(_ sql: SQL, limit: Int) throws -> [Row]
    func rows(_ statement: FixedSQL, _ values: [SQLValue], limit: Int) throws -> [Row]
    /// Writes an outbox row; `index` counts the transaction's events from 0.
    func insert(_ event: ChangeEvent, index: Int) throws
    /// Writes several, the first of which is the transaction's event number `index`.
    func insert(_ events: [ChangeEvent], index: Int) throws
    /// An expression for the sequence below which nothing can come any more that isn't visible to this transaction;
    /// `nil` where that holds for all that is visible.
    var outboxHorizon: SQL? { get }
    /// What callers are told instead of one of this driver's own errors.
    func answer(to error: any Error) -> any Error
}

extension SQLConnection {
    func insert(_ events: [ChangeEvent], index: Int) throws {
        for (offset, event) in events.enumerated() { try insert(event, index: index + offset) }
    }
}

/// A transaction, alive inside the closure that it is given to.
///
/// When a statement fails, the transaction fails, even if the closure catches the error: the engines differ in what
/// they would keep, so nothing is kept.
package final class Transaction {
    private let connection: any SQLConnection
    private(set) var hooks: [@Sendable () -> Void] = []
    private(set) var eventCount = 0
    /// The driver's own error that failed the transaction.
    private(set) var failure: (any Error)?

    init(_ connection: any SQLConnection) { self.connection = connection }

    /// Forgets what the closure before it left, so that a batch of closures needs one object.
    func restart() {
        if !hooks.isEmpty { hooks = [] }
        eventCount = 0
        failure = nil
    }

    /// The engine.
    package var dialect: Dialect { connection.dialect }

    /// See ``SQLConnection/outboxHorizon``.
    var outboxHorizon: SQL? { connection.outboxHorizon }

    /// Runs a statement for its effect.
    /// - Returns: how many rows it changed.
    /// - Throws: ``StorageError`` when the engine refuses it, `AppError(.invalid)` for a value that can't be stored
    ///   (text with the null character, a number that isn't finite), `AppError(.unavailable)` when the disk is full.
    @discardableResult
    package func execute(_ sql: SQL) throws -> Int {
        try running { try connection.execute(sql) }
    }

    /// Runs a fixed statement for its effect.
    /// - Returns: how many rows it changed.
    /// - Throws: as ``execute(_:)``.
    @discardableResult
    package func execute(_ statement: FixedSQL, _ values: [SQLValue]) throws -> Int {
        try running { try connection.execute(statement, values) }
    }

    /// Runs a fixed statement for its rows, all of them: bound the answer with LIMIT.
    /// - Throws: as ``execute(_:)``.
    package func rows(_ statement: FixedSQL, _ values: [SQLValue]) throws -> [Row] {
        try running { try connection.rows(statement, values, limit: .max) }
    }

    /// Runs a fixed statement for its first row.
    /// - Throws: as ``execute(_:)``.
    package func row(_ statement: FixedSQL, _ values: [SQLValue]) throws -> Row? {
        try running { try connection.rows(statement, values, limit: 1).first }
    }

    /// Runs a statement for its rows, all of them: bound the answer with LIMIT.
    /// - Throws: as ``execute(_:)``.
    package func rows(_ sql: SQL) throws -> [Row] {
        try running { try connection.rows(sql, limit: .max) }
    }

    /// Runs a statement for its first row.
    /// - Throws: as ``execute(_:)``.
    package func row(_ sql: SQL) throws -> Row? {
        try running { try connection.rows(sql, limit: 1).first }
    }

    /// What makes a SELECT lock its rows until the end of the transaction: `"SELECT … \(sql: tx.forUpdate)"`. Empty on
    /// SQLite, where there is one writer.
    package var forUpdate: SQL {
        switch dialect {
        case .sqlite: SQL()
        case .postgres: "FOR UPDATE"
        }
    }

    /// As ``forUpdate``, for rows that are changed but not deleted: others may still insert rows that refer to them.
    package var forChange: SQL {
        switch dialect {
        case .sqlite: SQL()
        case .postgres: "FOR NO KEY UPDATE"
        }
    }

    /// Writes an event into the outbox, in this transaction.
    /// - Throws: as ``execute(_:)``; ``StorageError/transactionFailed`` after ``Limits/eventsPerTransaction`` events.
    package func publish(_ event: ChangeEvent) throws {
        guard eventCount < Limits.eventsPerTransaction else { throw StorageError.transactionFailed }
        try running { try connection.insert(event, index: eventCount) }
        eventCount += 1
    }

    /// Writes several events into the outbox, in their order; at less cost than one by one.
    /// - Throws: as for one.
    package func publish(_ events: [ChangeEvent]) throws {
        guard !events.isEmpty else { return }
        guard eventCount + events.count <= Limits.eventsPerTransaction else { throw StorageError.transactionFailed }
        try running { try connection.insert(events, index: eventCount) }
        eventCount += events.count
    }

    /// Has `work` done after the commit, in this process, before the writer gets its answer; not after a rollback. It
    /// runs on the database's own thread: keep it short, such as dropping a cache entry.
    package func afterCommit(_ work: @escaping @Sendable () -> Void) { hooks.append(work) }

    private func running<T>(_ work: () throws -> T) throws -> T {
        guard failure == nil else { throw StorageError.transactionFailed }
        do {
            return try work()
        } catch {
            failure = error
            throw connection.answer(to: error)
        }
    }

    /// Ends the closure: a failure that it caught still counts.
    func checkFailure() throws {
        if let failure { throw connection.answer(to: failure) }
    }
}
