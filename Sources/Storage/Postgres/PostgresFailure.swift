import Kernel

/// What PostgreSQL answered, before it is told to a caller.
enum PostgresFailure: Error, CustomStringConvertible {
    /// The server is away, or this connection is.
    case lost(String)
    /// A statement was refused; `code` is the SQLSTATE.
    case refused(code: String, message: String, constraint: String?)

    /// Another transaction got in the way; the closure may be run again: 40001 serialization_failure,
    /// 40P01 deadlock_detected.
    var isRetryable: Bool {
        if case .refused(let code, _, _) = self { return code == "40001" || code == "40P01" }
        return false
    }

    /// Whether the connection is of no more use: lost; the server shuts down or became a standby; statements were
    /// prepared for tables that have changed since (0A000).
    var spoilsConnection: Bool {
        switch self {
        case .lost: true
        case .refused(let code, _, _):
            code.hasPrefix("08") || code.hasPrefix("57P") || code == "25P03" || code == "25006" || code == "0A000"
                || code == "26000"
        }
    }

    /// Whether the server may be there later: it is away, starts, or is a standby.
    var isAbsence: Bool {
        switch self {
        case .lost: true
        case .refused(let code, _, _): code.hasPrefix("08") || code.hasPrefix("57P") || code == "25006"
        }
    }

    /// What a caller gets.
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
        // 53: out of resources, such as a full disk.
        if spoilsConnection || code.hasPrefix("53") || code.hasPrefix("58") { return AppError.storeUnavailable }
        return StorageError.statement(code: code, message: message)
    }

    var description: String {
        switch self {
        case .lost(let reason): reason
        case .refused(let code, let message, _): "\(code): \(message)"
        }
    }
}
