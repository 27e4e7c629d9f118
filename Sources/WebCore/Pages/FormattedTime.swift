package import Kernel

/// A time as templates print it.
package struct FormattedTime: Sendable {
    /// RFC 3339, for the `datetime` attribute.
    package let machine: String
    /// The age of the time.
    package let age: String
    /// The date and the time in UTC.
    package let exact: String

    package init(_ instant: Instant, _ formatter: TimeFormatter) {
        machine = instant.rfc3339
        age = formatter.age(instant)
        exact = formatter.exact(instant)
    }
}

extension FormattedTime: TemplateLookup {
    /// Returns the property that a tag names, without reflection.
    package func child(named name: String) -> Any? {
        switch name {
        case "machine": machine
        case "age": age
        case "exact": exact
        default: nil
        }
    }
}
