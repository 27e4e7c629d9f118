/// A value of a JSON text. ``JSONReader`` reads it.
package enum JSONValue: Sendable, Equatable {
    case null
    case boolean(Bool)
    case number(JSONNumber)
    case text(String)
    /// Text with more combining marks in a row than any script needs; never converted to a `String`.
    case overmarked
    /// Text with half of a surrogate pair.
    case unpairedText
    /// An object that has a name with half of a surrogate pair.
    case unpairedNames
    case list([JSONValue])
    case object([MemberName: JSONValue])
}

/// Thrown for a value of another type than the one that is read.
package struct JSONTypeMismatch: Error {
    package init() {}
}

extension JSONValue {
    /// The text; `nil` for any other type.
    package var text: String? {
        if case .text(let text) = self { return text }
        return nil
    }

    /// The whole number in 64 bits; `nil` for any other value.
    package var whole: Int64? {
        if case .number(let number) = self { return number.whole }
        return nil
    }

    /// The whole number as an `Int`; `nil` for any other value.
    package var integer: Int? { whole.flatMap(Int.init(exactly:)) }

    /// The number; `nil` for any other value and for a number beyond the range of a `Double`, also one so small that
    /// it would be zero.
    package var double: Double? {
        guard case .number(let number) = self, let double = number.double, double != 0 || number.whole == 0 else {
            return nil
        }
        return double
    }

    /// The truth value; `nil` for any other type.
    package var boolean: Bool? {
        if case .boolean(let isTrue) = self { return isTrue }
        return nil
    }

    /// The entries of the array; `nil` for any other type.
    package var list: [JSONValue]? {
        if case .list(let values) = self { return values }
        return nil
    }

    /// The value itself if it is an object; `nil` for any other type.
    package var object: JSONValue? {
        if case .object = self { return self }
        return nil
    }

    /// The id; `nil` for any other value.
    package func id<Entity>() -> ID<Entity>? { text.flatMap { ID($0) } }

    /// The instant of an RFC 3339 text; `nil` for any other value.
    package var instant: Instant? { text.flatMap { Instant(rfc3339: $0) } }

    /// The object's member; `nil` if it is absent or null, or if this is no object.
    package subscript(_ name: MemberName) -> JSONValue? {
        guard case .object(let members) = self, let value = members[name], value != .null else { return nil }
        return value
    }

    /// Reads a member that may be absent or null.
    /// - Throws: ``JSONTypeMismatch`` for a value that `read` returns `nil` for.
    package func optional<Value>(
        _ name: MemberName, _ read: (JSONValue) -> Value?
    ) throws(JSONTypeMismatch) -> Value? {
        guard let value = self[name] else { return nil }
        guard let read = read(value) else { throw JSONTypeMismatch() }
        return read
    }

    /// Reads a member.
    /// - Throws: ``JSONTypeMismatch`` also if it is absent or null.
    package func required<Value>(
        _ name: MemberName, _ read: (JSONValue) -> Value?
    ) throws(JSONTypeMismatch) -> Value {
        guard let value = self[name].flatMap(read) else { throw JSONTypeMismatch() }
        return value
    }
}
