package import Kernel

/// A value that both engines can store.
package enum SQLValue: Sendable, Hashable {
    case null
    case integer(Int64)
    /// A finite 64-bit floating-point number.
    case real(Double)
    /// Unicode text without the null character.
    case text(String)
    case blob([UInt8])

    var typeName: String {
        switch self {
        case .null: "null"
        case .integer: "integer"
        case .real: "real"
        case .text: "text"
        case .blob: "blob"
        }
    }
}

/// A type whose values can be bound to a statement. An enum with text raw values only declares the conformance.
package protocol SQLBindable {
    var sqlValue: SQLValue { get }
}

/// A type whose values can be read from a column. An enum with text raw values only declares the conformance.
package protocol SQLReadable {
    /// Converts a column's value.
    /// - Throws: ``SQLMismatch`` if the value has another type or is out of range.
    init(sqlValue: SQLValue) throws
}

/// Thrown when a column's value has another type than the reader expects; ``Row/get(_:as:)`` adds the column's name.
package struct SQLMismatch: Error, Equatable, Sendable {
    /// The expected type in a few words; never the value.
    package let expected: String
    package init(expected: String) { self.expected = expected }
}

extension SQLValue: SQLBindable, SQLReadable {
    package var sqlValue: SQLValue { self }
    package init(sqlValue: SQLValue) { self = sqlValue }
}

extension Int64: SQLBindable, SQLReadable {
    package var sqlValue: SQLValue { .integer(self) }
    package init(sqlValue: SQLValue) throws {
        guard case .integer(let number) = sqlValue else { throw SQLMismatch(expected: "integer") }
        self = number
    }
}

extension Int: SQLBindable, SQLReadable {
    package var sqlValue: SQLValue { .integer(Int64(self)) }
    package init(sqlValue: SQLValue) throws { self = Int(try Int64(sqlValue: sqlValue)) }
}

extension Double: SQLBindable, SQLReadable {
    /// The number as a real. A statement with NaN or an infinity throws.
    package var sqlValue: SQLValue { .real(self) }
    /// Reads a real, or an integer that a real represents exactly.
    package init(sqlValue: SQLValue) throws {
        switch sqlValue {
        case .real(let number): self = number
        case .integer(let number):
            guard let exact = Double(exactly: number) else { throw SQLMismatch(expected: "real") }
            self = exact
        default: throw SQLMismatch(expected: "real")
        }
    }
}

extension Bool: SQLBindable, SQLReadable {
    package var sqlValue: SQLValue { .integer(self ? 1 : 0) }
    /// Reads 1 or 0.
    package init(sqlValue: SQLValue) throws {
        switch sqlValue {
        case .integer(0): self = false
        case .integer(1): self = true
        default: throw SQLMismatch(expected: "0 or 1")
        }
    }
}

extension String: SQLBindable, SQLReadable {
    /// The text. A statement with the null character in a text throws.
    package var sqlValue: SQLValue { .text(self) }
    package init(sqlValue: SQLValue) throws {
        guard case .text(let text) = sqlValue else { throw SQLMismatch(expected: "text") }
        self = text
    }
}

extension [UInt8]: SQLBindable, SQLReadable {
    package var sqlValue: SQLValue { .blob(self) }
    package init(sqlValue: SQLValue) throws {
        guard case .blob(let bytes) = sqlValue else { throw SQLMismatch(expected: "blob") }
        self = bytes
    }
}

extension Optional: SQLBindable where Wrapped: SQLBindable {
    package var sqlValue: SQLValue { self?.sqlValue ?? .null }
}

extension Optional: SQLReadable where Wrapped: SQLReadable {
    /// Reads NULL as `nil`, any other value as the wrapped type.
    package init(sqlValue: SQLValue) throws {
        if case .null = sqlValue { self = nil } else { self = try Wrapped(sqlValue: sqlValue) }
    }
}

extension Instant: SQLBindable, SQLReadable {
    /// Milliseconds since 1970.
    package var sqlValue: SQLValue { .integer(millisecondsSince1970) }
    /// Reads milliseconds since 1970.
    package init(sqlValue: SQLValue) throws {
        self.init(millisecondsSince1970: try Int64(sqlValue: sqlValue))
    }
}

extension ID: SQLBindable, SQLReadable {
    /// The 36-character form.
    package var sqlValue: SQLValue { .text(description) }
    /// Reads the 36-character form.
    package init(sqlValue: SQLValue) throws {
        guard case .text(let text) = sqlValue, let id = Self(text) else { throw SQLMismatch(expected: "id") }
        self = id
    }
}

extension RawRepresentable where Self: SQLBindable, RawValue == String {
    package var sqlValue: SQLValue { .text(rawValue) }
}

extension RawRepresentable where Self: SQLReadable, RawValue == String {
    package init(sqlValue: SQLValue) throws {
        guard case .text(let text) = sqlValue, let value = Self(rawValue: text) else {
            throw SQLMismatch(expected: "one of the known words")
        }
        self = value
    }
}
