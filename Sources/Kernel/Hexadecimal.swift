/// Bytes as hexadecimal digits, two for each byte.
package enum Hexadecimal {
    private static let digits = Array("0123456789abcdef".utf8)

    /// Returns lowercase digits.
    package static func encoded(_ bytes: some Sequence<UInt8>) -> String {
        var text: [UInt8] = []
        for byte in bytes { text += [digits[Int(byte >> 4)], digits[Int(byte & 0xf)]] }
        return String(decoding: text, as: UTF8.self)
    }

    /// Returns the bytes; `nil` if a digit is missing or invalid. Accepts uppercase digits.
    package static func decoded(_ text: Substring) -> [UInt8]? { decoded(text.utf8) }

    /// Returns the bytes; `nil` unless the text has the digits of exactly `count` bytes. Accepts uppercase digits.
    package static func decoded(_ text: some StringProtocol, count: Int) -> [UInt8]? {
        guard text.utf8.count == count * 2 else { return nil }
        return decoded(text.utf8)
    }

    /// Returns the bytes of ASCII digits; `nil` if a digit is missing or invalid. Accepts uppercase digits.
    @inlinable
    package static func decoded(_ digits: some Collection<UInt8>) -> [UInt8]? {
        guard digits.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count / 2)
        var high: UInt8?
        for digit in digits {
            guard let value = value(of: digit) else { return nil }
            if let first = high {
                bytes.append(first << 4 | value)
                high = nil
            } else {
                high = value
            }
        }
        return bytes
    }

    /// Returns the value of one ASCII digit, 0 to 15; `nil` for any other byte.
    @inlinable
    package static func value(of digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
