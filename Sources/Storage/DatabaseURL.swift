/// The address of the database: `sqlite:PATH` or `postgres://USER:PASSWORD@HOST[,HOST…]:PORT/NAME?…` (libpq's URI).
package struct DatabaseURL: Sendable, Hashable {
    enum Kind: Hashable {
        case sqlite(path: String)
        case postgres(uri: String)
    }

    let kind: Kind

    /// Parses a URL.
    /// - Throws: ``StorageError/cannotOpen(_:)`` if it has neither form, or holds a null character.
    package init(_ text: String) throws(StorageError) {
        if text.hasPrefix("sqlite:") {
            var path = String(text.dropFirst("sqlite:".count))
            if path.hasPrefix("//") { path.removeFirst(2) }
            guard !path.isEmpty, path != ":memory:", !path.utf8.contains(0) else {
                throw .cannotOpen("sqlite: needs the path of a file")
            }
            kind = .sqlite(path: path)
        } else if text.hasPrefix("postgres://") || text.hasPrefix("postgresql://") {
            guard !text.utf8.contains(0) else { throw .cannotOpen("the URL holds a null character") }
            kind = .postgres(uri: text)
        } else {
            throw .cannotOpen("the URL must begin with sqlite: or postgres://")
        }
    }

    /// Returns the URL of the SQLite file at `path`.
    package static func sqlite(path: String) -> DatabaseURL { DatabaseURL(kind: .sqlite(path: path)) }

    private init(kind: Kind) { self.kind = kind }

    package var dialect: Dialect {
        switch kind {
        case .sqlite: .sqlite
        case .postgres: .postgres
        }
    }
}

extension DatabaseURL: CustomStringConvertible {
    /// The URL for logs: without PostgreSQL's user, password and parameters.
    package var description: String {
        switch kind {
        case .sqlite(let path): return "sqlite:\(path)"
        case .postgres(let uri):
            let rest = uri.drop { $0 != "/" }.dropFirst(2).prefix { $0 != "?" }
            let place = rest.lastIndex(of: "@").map { rest[rest.index(after: $0)...] } ?? rest
            return "postgres://\(place)"
        }
    }
}

/// The SQL dialect of an engine, for the few statements that differ.
package enum Dialect: Sendable, Hashable {
    case sqlite
    case postgres
}
