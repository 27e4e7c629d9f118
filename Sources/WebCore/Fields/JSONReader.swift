import Kernel

/// Reads a JSON text that `JSONSyntax` found valid. Foundation's decoder tries one type after the other for each value,
/// and each mismatch throws and catches an error. A text becomes a `String` only in the Stream-Safe Text Format.
struct JSONReader {
    private let bytes: [UInt8]
    private var position = 0

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The value of the text; `nil` when a string contains half of a surrogate pair or isn't valid text, or a name has
    /// too many combining marks in a row.
    static func value(of bytes: [UInt8]) -> FieldValue? {
        var reader = JSONReader(bytes)
        return reader.value()
    }

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skipSpace() {
        while let byte = next, byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 { position += 1 }
    }

    /// Consumes the byte if it is next, after optional white space.
    private mutating func take(_ byte: UInt8) -> Bool {
        skipSpace()
        guard next == byte else { return false }
        position += 1
        return true
    }

    private mutating func value() -> FieldValue? {
        skipSpace()
        switch next {
        case UInt8(ascii: "{"): return object()
        case UInt8(ascii: "["): return list()
        case UInt8(ascii: "\""): return text()
        case UInt8(ascii: "t"): return word(4, .boolean(true))
        case UInt8(ascii: "f"): return word(5, .boolean(false))
        case UInt8(ascii: "n"): return word(4, .null)
        default: return number()
        }
    }

    private mutating func word(_ length: Int, _ value: FieldValue) -> FieldValue {
        position += length
        return value
    }

    private mutating func object() -> FieldValue? {
        position += 1
        var members: [MemberName: FieldValue] = [:]
        if take(UInt8(ascii: "}")) { return .object(members) }
        repeat {
            skipSpace()
            guard let bytes = string(), StreamSafeText.isValid(bytes), take(UInt8(ascii: ":")), let value = value()
            else { return nil }
            let name = MemberName(String(decoding: bytes, as: UTF8.self))
            // If a name occurs twice, the first value counts.
            if members[name] == nil { members[name] = value }
        } while take(UInt8(ascii: ","))
        return take(UInt8(ascii: "}")) ? .object(members) : nil
    }

    private mutating func list() -> FieldValue? {
        position += 1
        var values: [FieldValue] = []
        if take(UInt8(ascii: "]")) { return .list(values) }
        repeat {
            guard let value = value() else { return nil }
            values.append(value)
        } while take(UInt8(ascii: ","))
        return take(UInt8(ascii: "]")) ? .list(values) : nil
    }

    private mutating func number() -> FieldValue? {
        let start = position
        while let byte = next, Self.isPartOfNumber(byte) { position += 1 }
        guard position > start else { return nil }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        if let whole = Int64(text) ?? JSONNumber(text)?.whole { return .whole(whole) }
        guard let number = Double(text), number.isFinite else { return .unrepresentable }
        return .number(number)
    }

    private static func isPartOfNumber(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."),
            UInt8(ascii: "e"), UInt8(ascii: "E"):
            true
        default: false
        }
    }

    // MARK: Strings

    private mutating func text() -> FieldValue? {
        guard let bytes = string() else { return nil }
        return StreamSafeText.isValid(bytes) ? .text(String(decoding: bytes, as: UTF8.self)) : .overmarked
    }

    private mutating func string() -> ArraySlice<UInt8>? {
        position += 1
        let start = position
        while let byte = next, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") { position += 1 }
        if next == UInt8(ascii: "\"") {
            defer { position += 1 }
            return bytes[start..<position]
        }
        var text = Array(bytes[start..<position])
        while let byte = next {
            position += 1
            switch byte {
            case UInt8(ascii: "\""): return text[...]
            case UInt8(ascii: "\\"): guard escape(into: &text) else { return nil }
            default: text.append(byte)
            }
        }
        return nil
    }

    private mutating func escape(into text: inout [UInt8]) -> Bool {
        guard let byte = next else { return false }
        position += 1
        switch byte {
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0c)
        case UInt8(ascii: "n"): text.append(0x0a)
        case UInt8(ascii: "r"): text.append(0x0d)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "u"):
            guard let scalar = scalar() else { return false }
            text.append(contentsOf: String(Character(scalar)).utf8)
        default: text.append(byte)
        }
        return true
    }

    /// The character after `\u`, or the two surrogates of one, the second with its own `\u`.
    private mutating func scalar() -> Unicode.Scalar? {
        guard let first = hexadecimal() else { return nil }
        guard (0xd800...0xdbff).contains(first) else { return Unicode.Scalar(first) }
        guard next == UInt8(ascii: "\\") else { return nil }
        position += 1
        guard next == UInt8(ascii: "u") else { return nil }
        position += 1
        guard let second = hexadecimal(), (0xdc00...0xdfff).contains(second) else { return nil }
        return Unicode.Scalar(0x10000 + (first - 0xd800) << 10 + (second - 0xdc00))
    }

    private mutating func hexadecimal() -> UInt32? {
        guard position + 4 <= bytes.count else { return nil }
        defer { position += 4 }
        return UInt32(String(decoding: bytes[position..<position + 4], as: UTF8.self), radix: 16)
    }
}
