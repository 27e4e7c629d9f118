/// The Stream-Safe Text Format (UAX #15, 13): at most 30 non-starters in a row, more than any script needs.
///
/// Swift compares, hashes and normalises a run of combining marks in quadratic time. Text from outside is checked here,
/// byte by byte, before any `String` made from it is compared.
package enum StreamSafeText {
    /// Returns whether UTF-8 bytes are in the format. An invalid sequence ends a run, as the replacement character does
    /// that takes its place.
    package static func isValid(_ bytes: some Sequence<UInt8>) -> Bool {
        var run = NonStarterRun()
        for byte in bytes {
            run.add(byte)
            if run.isTooLong { return false }
        }
        return true
    }

    /// Returns whether bytes are in the format after percent-decoding (RFC 3986, 2.1).
    package static func isValid(percentEncoded bytes: some Sequence<UInt8>) -> Bool {
        var run = NonStarterRun()
        var iterator = bytes.makeIterator()
        var pending: [UInt8] = []
        while let byte = pending.popLast() ?? iterator.next() {
            guard byte == UInt8(ascii: "%") else {
                run.add(byte)
                if run.isTooLong { return false }
                continue
            }
            let high = pending.popLast() ?? iterator.next()
            let low = pending.popLast() ?? iterator.next()
            if let high, let low, let first = nibble(high), let second = nibble(low) {
                run.add(first << 4 | second)
            } else {
                run.add(byte)
                pending += [low, high].compactMap(\.self)
            }
            if run.isTooLong { return false }
        }
        return true
    }

    private static func nibble(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}

/// Counts the non-starters in a row of a text given as UTF-8 or as single scalars.
struct NonStarterRun {
    // All characters below are starters.
    private static let firstNonStarter: UInt32 = 0x300

    private(set) var isTooLong = false
    /// Whether one of the scalars is canonically equivalent to an ASCII character, so that Swift considers both equal.
    private(set) var hasTwinOfASCII = false
    private var length = 0
    private var value: UInt32 = 0
    private var missing = 0

    /// Processes the next byte of UTF-8.
    mutating func add(_ byte: UInt8) {
        switch byte {
        case 0..<0x80: add(scalar: UInt32(byte))
        case 0x80..<0xc0:
            guard missing > 0 else { return add(scalar: 0xfffd) }
            value = value << 6 | UInt32(byte & 0x3f)
            missing -= 1
            if missing == 0 { add(scalar: value) }
        case 0xc0..<0xe0: begin(byte & 0x1f, missing: 1)
        case 0xe0..<0xf0: begin(byte & 0x0f, missing: 2)
        default: begin(byte & 0x07, missing: 3)
        }
    }

    private mutating func begin(_ bits: UInt8, missing: Int) {
        if self.missing > 0 { add(scalar: 0xfffd) }
        value = UInt32(bits)
        self.missing = missing
    }

    /// Processes the next scalar; an invalid value counts as a starter.
    mutating func add(scalar: UInt32) {
        missing = 0
        switch scalar {
        case 0x37e, 0x1fef, 0x212a: hasTwinOfASCII = true
        default: break
        }
        guard scalar >= Self.firstNonStarter, let character = Unicode.Scalar(scalar),
            character.properties.canonicalCombiningClass != .notReordered
        else {
            length = 0
            return
        }
        length += 1
        if length > Limits.nonStarters { isTooLong = true }
    }
}
