/// The change to one field: JSON's absent, null and value.
package enum Edit<Value: Sendable>: Sendable {
    /// Leaves the field as it is.
    case unchanged
    case clear
    case set(Value)
}
