/// An error of the store that doesn't pass on its own. Temporary problems (disk full, server unreachable, queue full)
/// are `AppError(.unavailable)` instead.
package enum StorageError: Error, Equatable, Sendable {
    /// A row with that key exists; names the columns (SQLite) or the constraint (PostgreSQL).
    case uniqueViolation(String)
    /// The referenced row is missing, or the row to delete is still referenced.
    case foreignKeyViolation(String)
    /// A CHECK constraint rejected the row; names the constraint.
    case checkViolation(String)
    /// A NOT NULL column got no value.
    case notNullViolation(String)
    /// Any other error of a statement: the engine's code and message.
    case statement(code: String, message: String)
    /// A statement failed earlier in this transaction, so the transaction can only be rolled back.
    case transactionFailed
    /// A column is missing or its value has another type than the reader expects.
    case column(String, problem: String)
    /// The connection was lost during the commit: the change may or may not be stored. The response is a 503, and
    /// clients repeat the request with the same idempotency key.
    case outcomeUnknown
    /// A newer version of the program migrated the database: it has these migrations that this program doesn't know.
    case schemaNewer([String])
    /// The database belongs to an earlier version, and was opened without a change. Contains the first migration.
    case migrationsPending(String)
    /// A migration was edited after it was applied.
    case migrationChanged(String)
    /// A migration occurs twice in the list.
    case migrationList(String)
    /// The database can't be opened, or its URL is invalid.
    case cannotOpen(String)
    /// There is no database of Homeward at this place.
    case missing(String)
    /// The database server can't be reached, or isn't ready.
    case unreachable(String)
    /// A backup can't be written or restored.
    case backup(String)
}

extension StorageError: CustomStringConvertible {
    /// The error's text for logs and the command line.
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
        case .migrationsPending(let name):
            "the database belongs to an earlier version of Homeward (without \(name)); the server updates it when it "
                + "starts"
        case .migrationChanged(let name):
            "migration \(name) differs from the one that was applied to this database; this program was built wrongly"
        case .migrationList(let problem): "the list of migrations is unusable: \(problem)"
        case .cannotOpen(let problem): "the database can't be opened: \(problem)"
        case .missing(let place):
            "no Homeward data was found at \(place). Check HOMEWARD_DATA and HOMEWARD_DATABASE; homeward serve "
                + "creates the data of a new server"
        case .unreachable(let problem): "the database can't be reached: \(problem)"
        case .backup(let problem): problem
        }
    }
}
