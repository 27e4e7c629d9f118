/// The name of a value in a JSON object or a form. Names are compared by their bytes: Swift's own comparison
/// normalises, so that different spellings would be one name.
package struct MemberName: Hashable, Comparable, ExpressibleByStringLiteral {
    package let text: String

    package init(_ text: String) { self.text = text }

    package init(stringLiteral text: String) { self.text = text }

    /// Returns whether both names have the same bytes.
    package static func == (one: MemberName, other: MemberName) -> Bool { one.text.utf8.elementsEqual(other.text.utf8) }

    /// Orders names by their bytes.
    package static func < (one: MemberName, other: MemberName) -> Bool {
        one.text.utf8.lexicographicallyPrecedes(other.text.utf8)
    }

    /// Hashes the bytes.
    package func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}
