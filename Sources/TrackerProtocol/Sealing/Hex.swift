/// Hexadecimal encoding in lower case, two digits per byte.
package enum Hex {
    private static let digits = Array("0123456789abcdef".utf8)

    /// Returns the hexadecimal digits of `bytes`.
    package static func encode(_ bytes: some Sequence<UInt8>) -> String {
        var text: [UInt8] = []
        for byte in bytes {
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 0xf)])
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Returns the bytes of `text`; `nil` unless it has the digits of exactly `count` bytes. Accepts upper case.
    package static func decode(_ text: some StringProtocol, count: Int) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        var high: UInt8?
        for digit in text.utf8 {
            guard bytes.count < count, let nibble = value(of: digit) else { return nil }
            if let upper = high {
                bytes.append(upper << 4 | nibble)
                high = nil
            } else {
                high = nibble
            }
        }
        return bytes.count == count && high == nil ? bytes : nil
    }

    private static func value(of digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
