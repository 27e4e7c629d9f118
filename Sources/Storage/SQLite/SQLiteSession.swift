import Foundation
import GRDB
import GRDBSQLite
import Kernel

/// One SQLite connection with its prepared statements. GRDB opens it and prepares; binding and stepping go to SQLite
/// directly, because they are what an ingested fix mostly costs.
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

        /// Whether SQLite counts what the statement changes.
        private static func isCounted(_ sql: String) -> Bool {
            let word = sql.drop { $0.isWhitespace }.prefix { $0.isLetter }.uppercased()
            return ["INSERT", "UPDATE", "DELETE", "REPLACE", "WITH"].contains(word)
        }

        /// Another process may have changed the schema under a `SELECT *`.
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

    let dialect = Dialect.sqlite

    init(_ database: GRDB.Database) throws {
        guard let connection = database.sqliteConnection else { throw AppError.storeClosed }
        self.database = database
        self.connection = connection
    }

    private var structuralChanges: Int64 = 0

    /// Rises with each row that a statement of this connection changed, and with each change of the schema.
    var changeCount: Int64 { Int64(sqlite3_total_changes(connection)) + structuralChanges }

    /// Whether a transaction is open; SQLite rolls back by itself when the disk fails.
    var isInTransaction: Bool { sqlite3_get_autocommit(connection) == 0 }

    func execute(_ sql: SQL) throws -> Int {
        let prepared = try prepare(sql)
        defer { sqlite3_reset(prepared.handle) }
        var code = SQLITE_ROW
        while code == SQLITE_ROW { code = sqlite3_step(prepared.handle) }
        guard code == SQLITE_DONE else { throw failure() }
        return Int(sqlite3_changes(connection))
    }

    func rows(_ sql: SQL, limit: Int) throws -> [Row] {
        let prepared = try prepare(sql)
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

    func insertion(of event: ChangeEvent, index: Int) -> SQL {
        """
        INSERT INTO outbox (audience, kind, resource, version, at)
        VALUES (\(event.audience), \(event.kind), \(event.resource), \(event.version), \(event.at))
        """
    }

    // There is one writer: what is visible is all there is.
    var outboxHorizon: SQL? { nil }

    func answer(to error: any Error) -> any Error { error is SQLiteUnavailable ? AppError.storeUnavailable : error }

    private func prepare(_ sql: SQL) throws -> Prepared {
        let prepared: Prepared
        if let known = statements[sql.text] {
            prepared = known
        } else {
            if statements.count >= Limits.preparedStatements { statements.removeAll(keepingCapacity: true) }
            do {
                prepared = Prepared(try database.makeStatement(sql: sql.text))
            } catch let error as DatabaseError {
                throw SQLiteFailure.error(code: error.extendedResultCode.rawValue, message: error.message ?? "")
            }
            statements[sql.text] = prepared
        }
        guard prepared.parameterCount == sql.values.count else {
            throw StorageError.statement(code: "parameters", message: "a statement's values don't match its places")
        }
        if prepared.isStructural { structuralChanges += 1 }
        var index: Int32 = 0
        for value in sql.values {
            index += 1
            guard try Self.bind(value, to: prepared.handle, at: index) == SQLITE_OK else { throw failure() }
        }
        return prepared
    }

    private func failure() -> any Error {
        SQLiteFailure.error(
            code: sqlite3_extended_errcode(connection),
            message: sqlite3_errmsg(connection).map { String(cString: $0) } ?? ""
        )
    }
}

extension SQLiteSession {
    // SQLite copies what is bound before the call returns.
    private static var copied: sqlite3_destructor_type { unsafeBitCast(-1, to: sqlite3_destructor_type.self) }

    private static func bind(_ value: SQLValue, to handle: OpaquePointer, at index: Int32) throws -> Int32 {
        switch value {
        case .null: return sqlite3_bind_null(handle, index)
        case .integer(let number): return sqlite3_bind_int64(handle, index, number)
        case .real(let number):
            guard number.isFinite else { throw AppError.notFinite }
            return sqlite3_bind_double(handle, index, number)
        case .text(var text):
            return try text.withUTF8 { bytes in
                guard let start = bytes.baseAddress, !bytes.isEmpty else {
                    return sqlite3_bind_text(handle, index, "", 0, copied)
                }
                guard memchr(start, 0, bytes.count) == nil else { throw AppError.nullCharacter }
                return start.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
                    sqlite3_bind_text(handle, index, $0, Int32(clamping: bytes.count), copied)
                }
            }
        case .blob(let bytes):
            guard !bytes.isEmpty else { return sqlite3_bind_zeroblob(handle, index, 0) }
            return bytes.withUnsafeBytes {
                sqlite3_bind_blob(handle, index, $0.baseAddress, Int32(clamping: $0.count), copied)
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

/// SQLite's result codes in our terms.
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

    /// What GRDB throws, in our terms.
    static func translate(_ error: any Error) -> any Error {
        guard let error = error as? DatabaseError else { return error }
        return self.error(code: error.extendedResultCode.rawValue, message: error.message ?? "")
    }
}

/// The disk or another process is in the way. Callers get `AppError(.unavailable)`, the log gets this.
struct SQLiteUnavailable: Error, CustomStringConvertible {
    let code: Int32
    let message: String
    var description: String { "SQLite \(code): \(message)" }
}
