/// The name of a value in a body. Names are compared by their bytes: Swift's own comparison normalises, so that
/// different spellings would be one name.
struct MemberName: Hashable, Comparable, ExpressibleByStringLiteral {
    let text: String

    init(_ text: String) { self.text = text }

    init(stringLiteral text: String) { self.text = text }

    static func == (one: MemberName, other: MemberName) -> Bool { one.text.utf8.elementsEqual(other.text.utf8) }

    static func < (one: MemberName, other: MemberName) -> Bool {
        one.text.utf8.lexicographicallyPrecedes(other.text.utf8)
    }

    func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}
