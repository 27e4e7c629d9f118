import Foundation
import GRDB
import GRDBSQLite
import Kernel

/// A SQLite connection with its prepared statements. GRDB opens it and prepares the statements. Binding and stepping
/// call SQLite directly, because they are most of the cost of an ingested fix.
final class SQLiteSession: SQLConnection {
    private final class Prepared {
        let statement: Statement
        let handle: OpaquePointer
        let parameterCount: Int
        let isStructural: Bool
        var columns: RowColumns

        init(_ statement: Statement) {
            self.statement = statement
            handle = statement.sqliteStatement
            parameterCount = Int(sqlite3_bind_parameter_count(handle))
            isStructural = !statement.isReadonly && !Self.isCounted(statement.sql)
            columns = Self.columns(of: handle)
        }

        /// Returns whether SQLite counts the rows that the statement changes.
        private static func isCounted(_ sql: String) -> Bool {
            let word = sql.drop { $0.isWhitespace }.prefix { $0.isLetter }.uppercased()
            return ["INSERT", "UPDATE", "DELETE", "REPLACE", "WITH"].contains(word)
        }

        /// Updates the column names: another process may have changed the schema under a `SELECT *`.
        func refreshColumns() {
            if Int(sqlite3_column_count(handle)) != columns.names.count { columns = Self.columns(of: handle) }
        }

        private static func columns(of handle: OpaquePointer) -> RowColumns {
            let names = (0..<sqlite3_column_count(handle)).map { index in
                sqlite3_column_name(handle, index).map { String(cString: $0) } ?? ""
            }
            return RowColumns(names: names)
        }
    }

    private let database: GRDB.Database
    private let connection: OpaquePointer
    private var statements: [String: Prepared] = [:]
    // Indexed by the statements' numbers.
    private var fixedStatements: [Prepared?] = []
    private let scratch = SQLiteValueBuffer()

    let dialect = Dialect.sqlite

    init(_ database: GRDB.Database) throws {
        guard let connection = database.sqliteConnection else { throw AppError.storeClosed }
        self.database = database
        self.connection = connection
    }

    private var structuralChanges: Int64 = 0

    /// Increases with each row that a statement of this connection changes, and with each change of the schema.
    var changeCount: Int64 { Int64(sqlite3_total_changes(connection)) + structuralChanges }

    /// Whether a transaction is open. SQLite may roll back on its own when the disk fails.
    var isInTransaction: Bool { sqlite3_get_autocommit(connection) == 0 }

    /// The steps of SQLite's virtual machine that each statement has taken on this connection, by its text.
    var stepCounts: [String: Int64] {
        (Array(statements.values) + fixedStatements.compactMap { $0 }).reduce(into: [:]) { counts, prepared in
            let steps = sqlite3_stmt_status(prepared.handle, SQLITE_STMTSTATUS_VM_STEP, 0)
            counts[prepared.statement.sql, default: 0] += Int64(steps)
        }
    }

    func execute(_ sql: SQL) throws { try step(prepared(sql.text), sql.values) }

    func execute(_ statement: FixedSQL, _ values: [SQLValue]) throws { try step(prepared(statement), values) }

    func executeCounting(_ sql: SQL) throws -> Int {
        try execute(sql)
        return Int(sqlite3_changes(connection))
    }

    func executeCounting(_ statement: FixedSQL, _ values: [SQLValue]) throws -> Int {
        try execute(statement, values)
        return Int(sqlite3_changes(connection))
    }

    func rows(_ sql: SQL, limit: Int) throws -> [Row] { try rows(prepared(sql.text), sql.values, limit: limit) }

    func rows(_ statement: FixedSQL, _ values: [SQLValue], limit: Int) throws -> [Row] {
        try rows(prepared(statement), values, limit: limit)
    }

    func rowsLater(_ statement: FixedSQL, _ values: [SQLValue], use: ([Row]) throws -> Void) throws {
        try use(rows(prepared(statement), values, limit: .max))
    }

    func useLaterRows() {}

    private func step(_ prepared: Prepared, _ values: [SQLValue]) throws {
        try bind(values, to: prepared)
        defer { sqlite3_reset(prepared.handle) }
        var code = SQLITE_ROW
        while code == SQLITE_ROW { code = sqlite3_step(prepared.handle) }
        guard code == SQLITE_DONE else { throw failure() }
    }

    private func rows(_ prepared: Prepared, _ values: [SQLValue], limit: Int) throws -> [Row] {
        try bind(values, to: prepared)
        let handle = prepared.handle
        defer { sqlite3_reset(handle) }
        var rows: [Row] = []
        while rows.count < limit {
            switch sqlite3_step(handle) {
            case SQLITE_ROW:
                if rows.isEmpty { prepared.refreshColumns() }
                rows.append(Row(columns: prepared.columns, values: Self.values(of: handle)))
            case SQLITE_DONE: return rows
            default: throw failure()
            }
        }
        return rows
    }

    /// Calls `body` with each row of a query, without collecting them.
    func forEachRow(_ sql: SQL, _ body: (Row) throws -> Void) throws {
        let prepared = try prepared(sql.text)
        try bind(sql.values, to: prepared)
        defer { sqlite3_reset(prepared.handle) }
        prepared.refreshColumns()
        while true {
            switch sqlite3_step(prepared.handle) {
            case SQLITE_ROW: try body(Row(columns: prepared.columns, values: Self.values(of: prepared.handle)))
            case SQLITE_DONE: return
            default: throw failure()
            }
        }
    }

    private static let insertEvent = FixedSQL(
        "INSERT INTO outbox (audience, kind, resource, version, at) VALUES (?, ?, ?, ?, ?)"
    )

    func insert(_ event: ChangeEvent) throws {
        try execute(
            Self.insertEvent,
            [
                event.audience.sqlValue, .text(event.kind), .text(event.resource), .integer(event.version),
                event.at.sqlValue,
            ]
        )
    }

    // SQLite has one writer, so no event can appear below a visible one.
    var outboxWatermark: SQL? { nil }

    func mapped(_ error: any Error) -> any Error { error is SQLiteUnavailable ? AppError.storeUnavailable : error }

    private func prepared(_ text: String) throws -> Prepared {
        if let known = statements[text] { return known }
        if statements.count >= Limits.preparedStatements { statements.removeAll(keepingCapacity: true) }
        let made = try prepare(text)
        statements[text] = made
        return made
    }

    private func prepared(_ statement: FixedSQL) throws -> Prepared {
        if statement.number < fixedStatements.count, let known = fixedStatements[statement.number] { return known }
        let made = try prepare(statement.text)
        while fixedStatements.count <= statement.number { fixedStatements.append(nil) }
        fixedStatements[statement.number] = made
        return made
    }

    private func prepare(_ text: String) throws -> Prepared {
        do {
            return Prepared(try database.makeStatement(sql: text))
        } catch let error as DatabaseError {
            throw SQLiteFailure.error(code: error.extendedResultCode.rawValue, message: error.message ?? "")
        }
    }

    private func bind(_ values: [SQLValue], to prepared: Prepared) throws {
        guard prepared.parameterCount == values.count else {
            throw StorageError.statement(code: "parameters", message: "a statement's values don't match its places")
        }
        if prepared.isStructural { structuralChanges += 1 }
        // One statement runs at a time and binds all of its values again.
        scratch.clear()
        var index: Int32 = 0
        for value in values {
            index += 1
            guard try bind(value, to: prepared.handle, at: index) == SQLITE_OK else { throw failure() }
        }
    }

    private func failure() -> any Error {
        SQLiteFailure.error(
            code: sqlite3_extended_errcode(connection),
            message: sqlite3_errmsg(connection).map { String(cString: $0) } ?? ""
        )
    }
}

extension SQLiteSession {
    private func bind(_ value: SQLValue, to handle: OpaquePointer, at index: Int32) throws -> Int32 {
        switch value {
        case .null: return sqlite3_bind_null(handle, index)
        case .integer(let number): return sqlite3_bind_int64(handle, index, number)
        case .real(let number):
            guard number.isFinite else { throw AppError.notFinite }
            return sqlite3_bind_double(handle, index, number)
        case .text(var text):
            return try text.withUTF8 { bytes in
                guard let start = bytes.baseAddress, !bytes.isEmpty else {
                    return sqlite3_bind_text(handle, index, "", 0, SQLiteValueBuffer.copied)
                }
                guard memchr(start, 0, bytes.count) == nil else { throw AppError.nullCharacter }
                let length = Int32(clamping: bytes.count)
                if let copy = scratch.copy(UnsafeRawBufferPointer(bytes)) {
                    let text = copy.assumingMemoryBound(to: CChar.self)
                    return sqlite3_bind_text(handle, index, text, length, nil)
                }
                return start.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
                    sqlite3_bind_text(handle, index, $0, length, SQLiteValueBuffer.copied)
                }
            }
        case .blob(let bytes):
            guard !bytes.isEmpty else { return sqlite3_bind_zeroblob(handle, index, 0) }
            return bytes.withUnsafeBytes { bytes in
                let length = Int32(clamping: bytes.count)
                if let copy = scratch.copy(bytes) { return sqlite3_bind_blob(handle, index, copy, length, nil) }
                return sqlite3_bind_blob(handle, index, bytes.baseAddress, length, SQLiteValueBuffer.copied)
            }
        }
    }

    private static func values(of handle: OpaquePointer) -> [SQLValue] {
        let count = Int(sqlite3_data_count(handle))
        return [SQLValue](unsafeUninitializedCapacity: count) { buffer, initialized in
            for index in 0..<count {
                buffer.initializeElement(at: index, to: value(of: handle, at: Int32(index)))
            }
            initialized = count
        }
    }

    private static func value(of handle: OpaquePointer, at index: Int32) -> SQLValue {
        switch sqlite3_column_type(handle, index) {
        case SQLITE_INTEGER: return .integer(sqlite3_column_int64(handle, index))
        case SQLITE_FLOAT: return .real(sqlite3_column_double(handle, index))
        case SQLITE_TEXT:
            guard let start = sqlite3_column_text(handle, index) else { return .text("") }
            let length = Int(sqlite3_column_bytes(handle, index))
            return .text(String(decoding: UnsafeBufferPointer(start: start, count: length), as: UTF8.self))
        case SQLITE_BLOB:
            let length = Int(sqlite3_column_bytes(handle, index))
            guard let start = sqlite3_column_blob(handle, index) else { return .blob([]) }
            return .blob([UInt8](UnsafeRawBufferPointer(start: start, count: length)))
        default: return .null
        }
    }
}

/// Converts SQLite's result codes to the store's errors.
enum SQLiteFailure {
    static func error(code: Int32, message: String) -> any Error {
        switch ResultCode(rawValue: code) {
        case .SQLITE_CONSTRAINT_UNIQUE, .SQLITE_CONSTRAINT_PRIMARYKEY, .SQLITE_CONSTRAINT_ROWID:
            return StorageError.uniqueViolation(message)
        case .SQLITE_CONSTRAINT_FOREIGNKEY: return StorageError.foreignKeyViolation(message)
        case .SQLITE_CONSTRAINT_CHECK: return StorageError.checkViolation(message)
        case .SQLITE_CONSTRAINT_NOTNULL: return StorageError.notNullViolation(message)
        default: break
        }
        switch code & 0xff {
        case SQLITE_FULL, SQLITE_IOERR, SQLITE_BUSY, SQLITE_LOCKED, SQLITE_NOMEM, SQLITE_CANTOPEN:
            return SQLiteUnavailable(code: code, message: message)
        default: return StorageError.statement(code: "SQLite \(code)", message: message)
        }
    }

    /// Converts GRDB's errors to the store's errors.
    static func translate(_ error: any Error) -> any Error {
        guard let error = error as? DatabaseError else { return error }
        return self.error(code: error.extendedResultCode.rawValue, message: error.message ?? "")
    }
}

/// The disk or another process prevents the operation. Callers get `AppError(.unavailable)`; the log gets this error.
struct SQLiteUnavailable: Error, CustomStringConvertible {
    let code: Int32
    let message: String
    var description: String { "SQLite \(code): \(message)" }
}
