package import Kernel

/// A value as both engines know it.
package enum SQLValue: Sendable, Hashable {
    /// No value.
    case null
    /// A 64-bit whole number.
    case integer(Int64)
    /// A finite 64-bit floating-point number.
    case real(Double)
    /// Unicode text without the null character.
    case text(String)
    /// Bytes.
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

/// What can be bound into a statement. An enum with text cases gets it by declaring the conformance.
package protocol SQLBindable {
    /// The value to bind.
    var sqlValue: SQLValue { get }
}

/// What can be read out of a column. An enum with text cases gets it by declaring the conformance.
package protocol SQLReadable {
    /// Makes the value of a column's content.
    /// - Throws: ``SQLMismatch`` when the content is of another kind or out of range.
    init(sqlValue: SQLValue) throws
}

/// A column's content was not what its reader expects; ``Row/get(_:as:)`` adds the column's name.
package struct SQLMismatch: Error, Equatable, Sendable {
    /// What was expected, in a few words; never the content.
    package let expected: String
    /// Makes the error.
    package init(expected: String) { self.expected = expected }
}

extension SQLValue: SQLBindable, SQLReadable {
    /// The value itself.
    package var sqlValue: SQLValue { self }
    /// The content as it is.
    package init(sqlValue: SQLValue) { self = sqlValue }
}

extension Int64: SQLBindable, SQLReadable {
    /// The number as an integer.
    package var sqlValue: SQLValue { .integer(self) }
    /// Reads an integer.
    package init(sqlValue: SQLValue) throws {
        guard case .integer(let number) = sqlValue else { throw SQLMismatch(expected: "integer") }
        self = number
    }
}

extension Int: SQLBindable, SQLReadable {
    /// The number as an integer.
    package var sqlValue: SQLValue { .integer(Int64(self)) }
    /// Reads an integer.
    package init(sqlValue: SQLValue) throws { self = Int(try Int64(sqlValue: sqlValue)) }
}

extension Double: SQLBindable, SQLReadable {
    /// The number as a real; NaN and the infinities are refused when the statement runs.
    package var sqlValue: SQLValue { .real(self) }
    /// Reads a real, or an integer that a real holds exactly.
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
    /// 1 or 0.
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
    /// The text; one that holds the null character is refused when the statement runs.
    package var sqlValue: SQLValue { .text(self) }
    /// Reads text.
    package init(sqlValue: SQLValue) throws {
        guard case .text(let text) = sqlValue else { throw SQLMismatch(expected: "text") }
        self = text
    }
}

extension [UInt8]: SQLBindable, SQLReadable {
    /// The bytes.
    package var sqlValue: SQLValue { .blob(self) }
    /// Reads bytes.
    package init(sqlValue: SQLValue) throws {
        guard case .blob(let bytes) = sqlValue else { throw SQLMismatch(expected: "blob") }
        self = bytes
    }
}

extension Optional: SQLBindable where Wrapped: SQLBindable {
    /// The wrapped value, or null.
    package var sqlValue: SQLValue { self?.sqlValue ?? .null }
}

extension Optional: SQLReadable where Wrapped: SQLReadable {
    /// Reads null as `nil`, anything else as the wrapped type.
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
    /// The raw value as text.
    package var sqlValue: SQLValue { .text(rawValue) }
}

extension RawRepresentable where Self: SQLReadable, RawValue == String {
    /// Reads one of the raw values.
    package init(sqlValue: SQLValue) throws {
        guard case .text(let text) = sqlValue, let value = Self(rawValue: text) else {
            throw SQLMismatch(expected: "one of the known words")
        }
        self = value
    }
}
