/// Reads a JSON text (RFC 8259) in UTF-8, without a byte order mark, in one linear scan. Foundation's decoder accepts
/// more than RFC 8259, and tries one type after the other for each value. Only a text in the Stream-Safe Text Format is
/// returned as a `String`.
package struct JSONReader {
    /// Valid JSON that a reader may refuse.
    package struct Flaws: OptionSet, Sendable {
        package let rawValue: Int
        package init(rawValue: Int) { self.rawValue = rawValue }

        /// Texts with more combining marks in a row than any script needs. Such a name is always refused.
        package static let overmarkedTexts = Flaws(rawValue: 1)
        /// Names that Swift considers equal to a different ASCII name.
        package static let ambiguousNames = Flaws(rawValue: 2)
        /// Halves of surrogate pairs.
        package static let unpairedSurrogates = Flaws(rawValue: 4)
    }

    /// The number of values between checks for cancellation.
    private static let valuesPerCheck = 1_024

    private let bytes: [UInt8]
    private let refused: Flaws
    private var position = 0
    private var count = 0

    /// The value of a text; `nil` if its syntax is invalid or it has a refused flaw. Scanning stops below
    /// ``Limits/jsonDepth``, after ``Limits/jsonValues``, and when the task is cancelled.
    /// - Parameter refused: by default, half of a surrogate pair is harmless unless it is read.
    package static func value(
        of bytes: [UInt8], refusing refused: Flaws = [.overmarkedTexts, .ambiguousNames]
    ) -> JSONValue? {
        var reader = JSONReader(bytes: bytes, refused: refused)
        guard let value = reader.value(depth: Limits.jsonDepth) else { return nil }
        reader.skipSpace()
        return reader.position == bytes.count ? value : nil
    }

    private init(bytes: [UInt8], refused: Flaws) {
        self.bytes = bytes
        self.refused = refused
    }

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skipSpace() {
        while let byte = next, byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 { position += 1 }
    }

    private mutating func consume(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        position += 1
        return true
    }

    private mutating func value(depth: Int) -> JSONValue? {
        count += 1
        guard count <= Limits.jsonValues, count % Self.valuesPerCheck != 0 || !Task.isCancelled else { return nil }
        skipSpace()
        switch next {
        case UInt8(ascii: "{"): return depth > 0 ? object(depth: depth) : nil
        case UInt8(ascii: "["): return depth > 0 ? list(depth: depth) : nil
        case UInt8(ascii: "\""): return text()
        case UInt8(ascii: "t"): return word("true", .boolean(true))
        case UInt8(ascii: "f"): return word("false", .boolean(false))
        case UInt8(ascii: "n"): return word("null", .null)
        default: return number()
        }
    }

    private mutating func word(_ word: StaticString, _ value: JSONValue) -> JSONValue? {
        for offset in 0..<word.utf8CodeUnitCount {
            guard consume(word.utf8Start[offset]) else { return nil }
        }
        return value
    }

    /// Continues after a comma, or ends at the closing bracket; `nil` for any other byte.
    private mutating func continues(to end: UInt8) -> Bool? {
        skipSpace()
        if consume(UInt8(ascii: ",")) { return true }
        return consume(end) ? false : nil
    }

    private mutating func object(depth: Int) -> JSONValue? {
        position += 1
        var members: [MemberName: JSONValue] = [:]
        var isUnpaired = false
        skipSpace()
        if consume(UInt8(ascii: "}")) { return .object(members) }
        while true {
            skipSpace()
            guard let name = name() else { return nil }
            skipSpace()
            guard consume(UInt8(ascii: ":")), let value = value(depth: depth - 1) else { return nil }
            if let name {
                // If a name occurs twice, the first value counts.
                if members[name] == nil { members[name] = value }
            } else {
                isUnpaired = true
            }
            guard let continues = continues(to: UInt8(ascii: "}")) else { return nil }
            if !continues { return isUnpaired ? .unpairedNames : .object(members) }
        }
    }

    private mutating func list(depth: Int) -> JSONValue? {
        position += 1
        var values: [JSONValue] = []
        skipSpace()
        if consume(UInt8(ascii: "]")) { return .list(values) }
        while true {
            guard let value = value(depth: depth - 1) else { return nil }
            values.append(value)
            guard let continues = continues(to: UInt8(ascii: "]")) else { return nil }
            if !continues { return .list(values) }
        }
    }

    // MARK: Numbers

    private mutating func number() -> JSONValue? {
        let start = position
        _ = consume(UInt8(ascii: "-"))
        if !consume(UInt8(ascii: "0")) {
            guard digits() else { return nil }
        }
        if consume(UInt8(ascii: ".")) {
            guard digits() else { return nil }
        }
        if consume(UInt8(ascii: "e")) || consume(UInt8(ascii: "E")) {
            if !consume(UInt8(ascii: "+")) { _ = consume(UInt8(ascii: "-")) }
            guard digits() else { return nil }
        }
        return .number(JSONNumber(text: String(decoding: bytes[start..<position], as: UTF8.self)))
    }

    private mutating func digits() -> Bool {
        let start = position
        while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
        return position > start
    }

    // MARK: Strings

    /// A string's UTF-8, with escapes decoded.
    private struct Content {
        var bytes: ArraySlice<UInt8>
        var isASCII = true
        var isUnpaired = false
    }

    /// A member's name; `.some(nil)` for one with half of a surrogate pair.
    private mutating func name() -> MemberName?? {
        guard next == UInt8(ascii: "\""), let content = string(),
            let text = String(validating: content.bytes, as: UTF8.self)
        else { return nil }
        if !content.isASCII {
            var run = NonStarterRun()
            for byte in content.bytes { run.add(byte) }
            if run.isTooLong || run.hasTwinOfASCII && refused.contains(.ambiguousNames) { return nil }
        }
        return .some(content.isUnpaired ? nil : MemberName(text))
    }

    private mutating func text() -> JSONValue? {
        guard let content = string(), let text = String(validating: content.bytes, as: UTF8.self) else { return nil }
        if !content.isASCII, !StreamSafeText.isValid(content.bytes) {
            return refused.contains(.overmarkedTexts) ? nil : .overmarked
        }
        return content.isUnpaired ? .unpairedText : .text(text)
    }

    private mutating func string() -> Content? {
        position += 1
        let start = position
        var content = Content(bytes: [])
        // Most strings have no escapes and are copied in one piece.
        while let byte = next, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\"), byte >= 0x20 {
            if byte >= 0x80 { content.isASCII = false }
            position += 1
        }
        content.bytes = bytes[start..<position]
        while let byte = next {
            position += 1
            switch byte {
            case UInt8(ascii: "\""): return content
            case UInt8(ascii: "\\"): guard escape(into: &content) else { return nil }
            case 0..<0x20: return nil
            default:
                if byte >= 0x80 { content.isASCII = false }
                content.bytes.append(byte)
            }
        }
        return nil
    }

    private mutating func escape(into content: inout Content) -> Bool {
        guard let byte = next else { return false }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): content.bytes.append(byte)
        case UInt8(ascii: "b"): content.bytes.append(0x08)
        case UInt8(ascii: "f"): content.bytes.append(0x0c)
        case UInt8(ascii: "n"): content.bytes.append(0x0a)
        case UInt8(ascii: "r"): content.bytes.append(0x0d)
        case UInt8(ascii: "t"): content.bytes.append(0x09)
        case UInt8(ascii: "u"):
            guard let unit = codeUnit() else { return false }
            let scalar = Unicode.Scalar(unit) ?? lowSurrogate(after: unit)
            guard scalar != nil || !refused.contains(.unpairedSurrogates) else { return false }
            if scalar == nil { content.isUnpaired = true }
            if scalar?.isASCII != true { content.isASCII = false }
            content.bytes.append(contentsOf: String(Character(scalar ?? "\u{fffd}")).utf8)
        default: return false
        }
        return true
    }

    /// The character of a surrogate pair; `nil` and nothing consumed unless the second follows with its own `\u`.
    private mutating func lowSurrogate(after high: UInt32) -> Unicode.Scalar? {
        let start = position
        if (0xd800..<0xdc00).contains(high), consume(UInt8(ascii: "\\")), consume(UInt8(ascii: "u")),
            let low = codeUnit(),
            (0xdc00..<0xe000).contains(low)
        {
            return Unicode.Scalar(0x10000 + (high - 0xd800) << 10 + (low - 0xdc00))
        }
        position = start
        return nil
    }

    private mutating func codeUnit() -> UInt32? {
        var unit: UInt32 = 0
        for _ in 0..<4 {
            guard let digit = next, let value = Hexadecimal.value(of: digit) else { return nil }
            unit = unit << 4 | UInt32(value)
            position += 1
        }
        return unit
    }
}
