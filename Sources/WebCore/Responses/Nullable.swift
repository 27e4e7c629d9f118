package import Kernel

/// Encodes `nil` as `null`; Swift's own encoding omits the key.
@propertyWrapper
package struct Nullable<Value: Encodable & Sendable>: Encodable, Sendable {
    package var wrappedValue: Value?

    package init(wrappedValue: Value?) { self.wrappedValue = wrappedValue }

    /// Encodes the value, or `null` for `nil`.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if let wrappedValue { try container.encode(wrappedValue) } else { try container.encodeNil() }
    }
}

/// One page of a list, as JSON.
package struct ListJSON<Item: Sendable>: Sendable {
    package let items: [Item]
    /// The cursor for the next page's `after`; `nil` at the end.
    @Nullable package private(set) var next: String?

    package init(items: [Item], next: String?) {
        self.items = items
        _next = Nullable(wrappedValue: next)
    }
}

extension ListJSON: Encodable where Item: Encodable {}

extension ListJSON: JSONWritable where Item: JSONWritable {
    /// Writes an object with `items` and `next`.
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
