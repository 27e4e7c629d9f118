/// The syntax check for JSON. Foundation's decoder accepts more than RFC 8259: trailing commas, `01`, raw line breaks
/// in strings, other encodings.
package enum JSONSyntax {
    /// Returns whether `bytes` are one JSON text (RFC 8259) in UTF-8, without a byte order mark, that Foundation's
    /// decoder reads in linear time: its names and strings, with escapes decoded, are in the Stream-Safe Text Format. A
    /// name that Swift considers equal to a different ASCII name is rejected, so that names compare as bytes do.
    /// - Parameter depth: the maximum depth of nested objects and arrays; scanning stops below it.
    package static func isValid(_ bytes: [UInt8], depth: Int = Limits.jsonDepth) -> Bool {
        guard let scanner = scan(bytes, depth: depth) else { return false }
        return scanner.isStreamSafe && !scanner.hasAmbiguousName
    }

    /// Returns whether `bytes` are one JSON text, without the checks of names and strings, for readers that do those
    /// checks.
    package static func isWellFormed(_ bytes: [UInt8], depth: Int = Limits.jsonDepth) -> Bool {
        scan(bytes, depth: depth) != nil
    }

    private static func scan(_ bytes: [UInt8], depth: Int) -> JSONScanner? {
        var scanner = JSONScanner(bytes: bytes)
        guard scanner.text(depth: depth) else { return nil }
        return scanner.isASCII || String(validating: bytes, as: UTF8.self) != nil ? scanner : nil
    }
}

/// Scans a text once. Each function consumes the syntax element it is named after, from the current position.
private struct JSONScanner {
    let bytes: [UInt8]
    private(set) var isASCII = true
    private(set) var isStreamSafe = true
    private(set) var hasAmbiguousName = false
    private var position = 0

    init(bytes: [UInt8]) { self.bytes = bytes }

    mutating func text(depth: Int) -> Bool {
        skipSpace()
        guard value(depth: depth) else { return false }
        skipSpace()
        return position == bytes.count
    }

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        position += 1
        return true
    }

    private mutating func skipSpace() {
        while let byte = next, byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 { position += 1 }
    }

    private mutating func value(depth: Int) -> Bool {
        switch next {
        case UInt8(ascii: "{"): return object(depth: depth)
        case UInt8(ascii: "["): return list(depth: depth)
        case UInt8(ascii: "\""): return string()
        case UInt8(ascii: "t"): return word("true")
        case UInt8(ascii: "f"): return word("false")
        case UInt8(ascii: "n"): return word("null")
        default: return number()
        }
    }

    private mutating func object(depth: Int) -> Bool {
        guard depth > 0, take(UInt8(ascii: "{")) else { return false }
        skipSpace()
        if take(UInt8(ascii: "}")) { return true }
        repeat {
            skipSpace()
            guard string(isName: true) else { return false }
            skipSpace()
            guard take(UInt8(ascii: ":")) else { return false }
            skipSpace()
            guard value(depth: depth - 1) else { return false }
            skipSpace()
        } while take(UInt8(ascii: ","))
        return take(UInt8(ascii: "}"))
    }

    private mutating func list(depth: Int) -> Bool {
        guard depth > 0, take(UInt8(ascii: "[")) else { return false }
        skipSpace()
        if take(UInt8(ascii: "]")) { return true }
        repeat {
            skipSpace()
            guard value(depth: depth - 1) else { return false }
            skipSpace()
        } while take(UInt8(ascii: ","))
        return take(UInt8(ascii: "]"))
    }

    private mutating func string(isName: Bool = false) -> Bool {
        guard take(UInt8(ascii: "\"")) else { return false }
        var run = NonStarterRun()
        while let byte = next {
            position += 1
            switch byte {
            case UInt8(ascii: "\""):
                if run.isTooLong { isStreamSafe = false }
                if isName, run.hasTwinOfASCII { hasAmbiguousName = true }
                return true
            case UInt8(ascii: "\\"): guard escape(&run) else { return false }
            case 0..<0x20: return false
            case 0x80...:
                isASCII = false
                run.take(byte)
            default: run.take(byte)
            }
        }
        return false
    }

    private mutating func escape(_ run: inout NonStarterRun) -> Bool {
        guard let byte = next else { return false }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            run.take(UInt8(ascii: " "))
            return true
        case UInt8(ascii: "u"):
            guard let unit = codeUnit() else { return false }
            guard (0xd800..<0xdc00).contains(unit) else {
                run.take(scalar: unit)
                return true
            }
            // The low surrogate may follow. Without it the high surrogate encodes no character.
            let here = position
            if take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")), let low = codeUnit(), (0xdc00..<0xe000).contains(low)
            {
                run.take(scalar: 0x10000 + (unit - 0xd800) << 10 + (low - 0xdc00))
            } else {
                position = here
                run.take(scalar: 0xfffd)
            }
            return true
        default:
            return false
        }
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

    private mutating func number() -> Bool {
        _ = take(UInt8(ascii: "-"))
        if !take(UInt8(ascii: "0")) {
            guard digits() else { return false }
        }
        if take(UInt8(ascii: ".")) {
            guard digits() else { return false }
        }
        if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
            if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
            return digits()
        }
        return true
    }

    private mutating func digits() -> Bool {
        let start = position
        while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
        return position > start
    }

    private mutating func word(_ word: StaticString) -> Bool {
        for offset in 0..<word.utf8CodeUnitCount {
            guard take(word.utf8Start[offset]) else { return false }
        }
        return true
    }
}
