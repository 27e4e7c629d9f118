/// A response that writes its own JSON. For frequent responses: Swift's encoder first builds a tree of boxes and
/// dictionaries, which costs ten times as much.
package protocol JSONWritable: Sendable {
    /// Writes one value to `json`.
    func write(to json: inout JSONText)
}

/// A writer of JSON (RFC 8259), one value after the other.
package struct JSONText: Sendable {
    /// The UTF-8 bytes written so far.
    package private(set) var bytes: [UInt8] = []
    private var isFirst = true

    package init() { bytes.reserveCapacity(1_024) }

    package init(_ value: some JSONWritable) {
        self.init()
        value.write(to: &self)
    }

    /// Writes an object with the members that `members` writes.
    package mutating func object(_ members: (inout JSONText) -> Void) {
        nest(UInt8(ascii: "{"), UInt8(ascii: "}"), members)
    }

    /// Writes an array with the elements that `elements` writes.
    package mutating func list(_ elements: (inout JSONText) -> Void) {
        nest(UInt8(ascii: "["), UInt8(ascii: "]"), elements)
    }

    /// Writes the name of an object's next member; its value must follow. The name must not need escapes.
    package mutating func name(_ name: StaticString) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        bytes.append(contentsOf: UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
        isFirst = true
    }

    /// Writes a member's name that is known only at run time, with escapes.
    package mutating func name(text: String) {
        value(text)
        bytes.append(UInt8(ascii: ":"))
        isFirst = true
    }

    /// Writes a string, with escapes.
    package mutating func value(_ text: String) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        var text = text
        text.withUTF8 { utf8 in
            if utf8.allSatisfy({ $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }) {
                bytes.append(contentsOf: utf8)
            } else {
                for byte in utf8 { escape(byte) }
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Writes a whole number.
    package mutating func value(_ number: Int64) {
        separate()
        bytes.append(contentsOf: String(number).utf8)
    }

    /// Writes a finite number.
    package mutating func value(_ number: Double) {
        separate()
        let text = number.description
        bytes.append(contentsOf: text.hasSuffix(".0") ? text.utf8.dropLast(2) : text.utf8[...])
    }

    /// Writes `true` or `false`.
    package mutating func value(_ isTrue: Bool) {
        separate()
        bytes.append(contentsOf: (isTrue ? "true" : "false").utf8)
    }

    /// Writes an id as a string.
    package mutating func value(_ id: ID<some Any>) { value(id.description) }

    /// Writes an instant as an RFC 3339 string.
    package mutating func value(_ instant: Instant) { value(instant.rfc3339) }

    /// Writes a nested value.
    package mutating func value(_ value: some JSONWritable) { value.write(to: &self) }

    /// Writes `null`.
    package mutating func null() {
        separate()
        bytes.append(contentsOf: "null".utf8)
    }

    private mutating func nest(_ open: UInt8, _ close: UInt8, _ content: (inout JSONText) -> Void) {
        separate()
        bytes.append(open)
        isFirst = true
        content(&self)
        bytes.append(close)
        isFirst = false
    }

    private mutating func separate() {
        if isFirst { isFirst = false } else { bytes.append(UInt8(ascii: ",")) }
    }

    private mutating func escape(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
        case UInt8(ascii: "\n"): bytes.append(contentsOf: "\\n".utf8)
        case UInt8(ascii: "\r"): bytes.append(contentsOf: "\\r".utf8)
        case UInt8(ascii: "\t"): bytes.append(contentsOf: "\\t".utf8)
        case 0..<0x20:
            bytes.append(contentsOf: (byte < 0x10 ? "\\u000" : "\\u00").utf8)
            bytes.append(contentsOf: String(byte, radix: 16).utf8)
        default: bytes.append(byte)
        }
    }
}

// A member's name and value in one call; `nil` becomes `null`.
extension JSONText {
    /// Writes a member with a string or `null`.
    package mutating func member(_ name: StaticString, _ text: String?) {
        self.name(name)
        if let text { value(text) } else { null() }
    }

    /// Writes a member with a whole number.
    package mutating func member(_ name: StaticString, _ number: Int64) {
        self.name(name)
        value(number)
    }

    /// Writes a member with a finite number or `null`.
    package mutating func member(_ name: StaticString, _ number: Double?) {
        self.name(name)
        if let number { value(number) } else { null() }
    }

    /// Writes a member with `true` or `false`.
    package mutating func member(_ name: StaticString, _ isTrue: Bool) {
        self.name(name)
        value(isTrue)
    }

    /// Writes a member with an id or `null`.
    package mutating func member(_ name: StaticString, _ id: ID<some Any>?) {
        self.name(name)
        if let id { value(id) } else { null() }
    }

    /// Writes a member with an instant or `null`.
    package mutating func member(_ name: StaticString, _ instant: Instant?) {
        self.name(name)
        if let instant { value(instant) } else { null() }
    }

    /// Writes a member with a nested value or `null`.
    package mutating func member(_ name: StaticString, _ value: (some JSONWritable)?) {
        self.name(name)
        if let value { self.value(value) } else { null() }
    }
}
