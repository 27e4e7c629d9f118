package import Kernel

/// Writes `null` for `nil`, where Swift's own encoding leaves the key out.
@propertyWrapper
package struct Nullable<Value: Encodable & Sendable>: Encodable, Sendable {
    /// The value.
    package var wrappedValue: Value?

    /// Wraps a value.
    package init(wrappedValue: Value?) { self.wrappedValue = wrappedValue }

    /// Writes the value or null.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if let wrappedValue { try container.encode(wrappedValue) } else { try container.encodeNil() }
    }
}

/// A page of a list.
package struct ListAnswer<Item: Sendable>: Sendable {
    /// The entries.
    package let items: [Item]
    /// What `after` takes to go on; `nil` at the end.
    @Nullable package private(set) var next: String?

    /// Makes a page.
    package init(items: [Item], next: String?) {
        self.items = items
        _next = Nullable(wrappedValue: next)
    }
}

extension ListAnswer: Encodable where Item: Encodable {}

extension ListAnswer: WritesJSON where Item: WritesJSON {
    /// Writes the page.
    package func write(to json: inout JSONText) {
        json.object { json in
            json.name("items")
            json.list { json in
                for item in items { json.value(item) }
            }
            json.member("next", next)
        }
    }
}
