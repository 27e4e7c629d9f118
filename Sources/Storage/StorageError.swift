/// What the store refuses or can't do. What passes by itself (disk full, server away, queue full) is told as
/// `AppError(.unavailable)` instead.
package enum StorageError: Error, Equatable, Sendable {
    /// A row with that key is there already; names the columns (SQLite) or the constraint (PostgreSQL).
    case uniqueViolation(String)
    /// The row that is pointed at is missing, or the row that is to go is still pointed at.
    case foreignKeyViolation(String)
    /// A CHECK refused the row; names the constraint.
    case checkViolation(String)
    /// A column that must have a value got none.
    case notNullViolation(String)
    /// Any other refusal of a statement: the engine's code and message.
    case statement(code: String, message: String)
    /// A statement failed earlier in this transaction, so that it can only be rolled back.
    case transactionFailed
    /// A column is missing or holds something else than its reader expects.
    case column(String, problem: String)
    /// The connection was lost while committing: the change may or may not be there. Clients repeat it with the same
    /// idempotency key. To be told as 503.
    case outcomeUnknown
    /// The database was made by a newer version: it knows these migrations that this program doesn't.
    case schemaNewer([String])
    /// A migration was edited after it was applied.
    case migrationChanged(String)
    /// The list of migrations is unusable.
    case migrationList(String)
    /// The database can't be opened, or a URL isn't one.
    case cannotOpen(String)
    /// The database server isn't there, or not yet.
    case unreachable(String)
    /// A backup can't be made or restored.
    case backup(String)
}

extension StorageError: CustomStringConvertible {
    /// The error in words for the log and the command line.
    package var description: String {
        switch self {
        case .uniqueViolation(let what): "already there: \(what)"
        case .foreignKeyViolation(let what): "a row that is pointed at is missing or still in use: \(what)"
        case .checkViolation(let what): "refused by a check: \(what)"
        case .notNullViolation(let what): "a value is missing: \(what)"
        case .statement(let code, let message): "the database refused a statement (\(code)): \(message)"
        case .transactionFailed: "a statement failed earlier in this transaction"
        case .column(let name, let problem): "column \(name) \(problem)"
        case .outcomeUnknown:
            "the connection to the database was lost while committing; it is not known whether the change is there"
        case .schemaNewer(let names):
            "the database belongs to a newer version of Homeward (unknown here: \(names.joined(separator: ", "))). "
                + "Install that version, or restore a backup that was made before it"
        case .migrationChanged(let name):
            "migration \(name) differs from the one that was applied to this database; this program was built wrongly"
        case .migrationList(let problem): "the list of migrations is unusable: \(problem)"
        case .cannotOpen(let problem): "the database can't be opened: \(problem)"
        case .unreachable(let problem): "the database can't be reached: \(problem)"
        case .backup(let problem): problem
        }
    }
}
