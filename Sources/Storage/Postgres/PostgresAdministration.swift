/// What can't be done inside a transaction, such as making databases.
package enum PostgresAdministration {
    /// Runs one statement, outside of a transaction, on a connection of its own. Blocks the calling thread.
    /// - Throws: ``StorageError`` or `AppError(.unavailable)` when the server refuses it or isn't there.
    package static func run(_ statement: String, at url: DatabaseURL) throws {
        guard case .postgres(let uri) = url.kind else { throw StorageError.cannotOpen("\(url) is not PostgreSQL") }
        do {
            try PostgresConnection(uri: uri).run(statement)
        } catch let failure as PostgresFailure {
            throw failure.answer
        }
    }
}
