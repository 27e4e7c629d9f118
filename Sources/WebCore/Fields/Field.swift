/// One value of a request's body: absent, null, or present.
package enum Field<Value: Sendable>: Sendable {
    /// The name doesn't occur: the stored value stays.
    case absent
    /// JSON's null, or an empty field of a form: the stored value is cleared.
    case null
    case value(Value)

    package var value: Value? {
        if case .value(let value) = self { return value }
        return nil
    }

    package var isAbsent: Bool {
        if case .absent = self { return true }
        return false
    }

    /// Whether the value is to be cleared.
    package var isNull: Bool {
        if case .null = self { return true }
        return false
    }

    /// Transforms the value, if there is one.
    package func map<Other>(_ transform: (Value) throws -> Other) rethrows -> Field<Other> {
        switch self {
        case .absent: .absent
        case .null: .null
        case .value(let value): .value(try transform(value))
        }
    }
}

extension Field: Equatable where Value: Equatable {}
