/// Numbers of ASCII digits, without signs, spaces or the digits of other scripts.
enum DecimalDigits {
    /// Enough for every number of a rule; more could overflow.
    private static let maximum = 9

    /// Returns `nil` unless all bytes are digits, from one to nine.
    static func number(_ bytes: some Collection<UInt8>) -> Int? {
        guard (1...maximum).contains(bytes.count) else { return nil }
        var number = 0
        for byte in bytes {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
            number = number * 10 + Int(byte - UInt8(ascii: "0"))
        }
        return number
    }

    /// Returns the number with leading zeros.
    static func text(_ number: Int, digits: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
    }
}
