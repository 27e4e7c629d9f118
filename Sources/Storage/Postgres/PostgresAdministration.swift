/// Statements that can't run inside a transaction, for example `CREATE DATABASE`.
package enum PostgresAdministration {
    /// Runs one statement outside of a transaction, on its own connection. Blocks the calling thread.
    /// - Throws: ``StorageError`` or `AppError(.unavailable)` if the server rejects the statement or can't be reached.
    package static func run(_ statement: String, at url: DatabaseURL) throws {
        guard case .postgres(let uri) = url.kind else { throw StorageError.cannotOpen("\(url) is not PostgreSQL") }
        do {
            try PostgresConnection(uri: uri).run(statement)
        } catch let failure as PostgresFailure {
            throw failure.answer
        }
    }
}
