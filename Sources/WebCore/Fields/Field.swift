/// One value of a request's body: not there, there but empty, or there.
package enum Field<Value: Sendable>: Sendable {
    /// The name doesn't occur: keep what is stored.
    case absent
    /// JSON's null, or an empty field of a form: clear what is stored.
    case null
    /// The value.
    case value(Value)

    /// The value, if there is one.
    package var value: Value? {
        if case .value(let value) = self { return value }
        return nil
    }

    /// Whether the name doesn't occur.
    package var isAbsent: Bool {
        if case .absent = self { return true }
        return false
    }

    /// Whether the value is to be cleared.
    package var isNull: Bool {
        if case .null = self { return true }
        return false
    }

    /// The same with another value.
    package func map<Other>(_ transform: (Value) throws -> Other) rethrows -> Field<Other> {
        switch self {
        case .absent: .absent
        case .null: .null
        case .value(let value): .value(try transform(value))
        }
    }
}

extension Field: Equatable where Value: Equatable {}
