import CPostgres
import Kernel

/// An error of PostgreSQL before its conversion for the caller.
enum PostgresFailure: Error, CustomStringConvertible {
    /// The server or this connection is lost.
    case lost(String)
    /// The server rejected a statement; `code` is the SQLSTATE.
    case refused(code: String, message: String, constraint: String?)

    /// The error in a result; `nil` if its request succeeded.
    init?(_ result: OpaquePointer?, of connection: OpaquePointer) {
        let status = PQresultStatus(result)
        guard status != PGRES_COMMAND_OK, status != PGRES_TUPLES_OK else { return nil }
        let message = PQresultErrorField(result, Int32(UInt8(ascii: "M"))).map { String(cString: $0) }
        guard let code = PQresultErrorField(result, Int32(UInt8(ascii: "C"))).map({ String(cString: $0) }),
            PQstatus(connection) == CONNECTION_OK
        else {
            self = .lost(message ?? PostgresText.errorMessage(of: connection))
            return
        }
        let constraint = PQresultErrorField(result, Int32(UInt8(ascii: "n"))).map { String(cString: $0) }
        self = .refused(code: code, message: message ?? "", constraint: constraint)
    }

    /// How often the closure may run because of a conflict with another transaction: 40001 serialization_failure, 40P01
    /// deadlock_detected. After a 23505 unique_violation it runs once more, because the other transaction may have
    /// inserted the row after the closure looked for it
    /// (https://www.postgresql.org/docs/15/mvcc-serialization-failure-handling.html).
    var attempts: Int {
        guard case .refused(let code, _, _) = self else { return 1 }
        return switch code {
        case "40001", "40P01": Limits.transactionAttempts
        case "23505": 2
        default: 1
        }
    }

    /// Whether the connection can't be used any more: it is lost, the server shuts down or became a standby, or a table
    /// of a prepared statement changed (0A000).
    var invalidatesConnection: Bool {
        switch self {
        case .lost: true
        case .refused(let code, _, _): leavesOutcomeUnknown || ["25006", "0A000", "26000"].contains(code)
        }
    }

    /// Whether the server may have performed a COMMIT that was sent with the statement that failed. It skips the COMMIT
    /// after an error, unless the error ends the session.
    var leavesOutcomeUnknown: Bool {
        switch self {
        case .lost: true
        case .refused(let code, _, _): code.hasPrefix("08") || code.hasPrefix("57P") || code == "25P03"
        }
    }

    /// Whether the server may be available later: it is unreachable, starting or a standby.
    var isAbsence: Bool {
        switch self {
        case .lost: true
        case .refused(let code, _, _): code.hasPrefix("08") || code.hasPrefix("57P") || code == "25006"
        }
    }

    /// The error for the caller.
    var answer: any Error {
        guard case .refused(let code, let message, let constraint) = self else { return AppError.storeUnreachable }
        switch code {
        case "23505": return StorageError.uniqueViolation(constraint ?? message)
        case "23503": return StorageError.foreignKeyViolation(constraint ?? message)
        case "23514": return StorageError.checkViolation(constraint ?? message)
        case "23502": return StorageError.notNullViolation(message)
        case "40001", "40P01", "55P03", "57014": return AppError.storeBusy
        default: break
        }
        // Class 53: insufficient resources, for example a full disk.
        if invalidatesConnection || code.hasPrefix("53") || code.hasPrefix("58") { return AppError.storeUnavailable }
        return StorageError.statement(code: code, message: message)
    }

    var description: String {
        switch self {
        case .lost(let reason): reason
        case .refused(let code, let message, _): "\(code): \(message)"
        }
    }
}
