/// A number as its digits say it (RFC 8259, 6). A `Double` has fewer digits than a number may have: by way of one,
/// 0.99999999999999999999 would be 1.
struct JSONNumber {
    /// Digits of the greatest number that 64 bits hold.
    private static let wholeDigits = 19

    private let isNegative: Bool
    /// Without zeros at either end; empty for zero.
    private let digits: Substring
    /// The power of ten that the last digit stands for; `nil` where it is beyond 64 bits.
    private let exponent: Int?

    /// - Parameter text: a number whose syntax was found good; `nil` for anything that can't be one.
    init?(_ text: String) {
        let parts = text.split(maxSplits: 1, omittingEmptySubsequences: false) { $0 == "e" || $0 == "E" }
        guard let mantissa = parts.first else { return nil }
        isNegative = mantissa.hasPrefix("-")
        let plain = mantissa.drop { $0 == "-" || $0 == "+" }
        let sides = plain.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let fraction = sides.count == 2 ? sides[1] : ""
        let written = (sides.first.map(String.init) ?? "") + fraction
        guard !written.isEmpty, written.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
            return nil
        }
        let significant = written.drop { $0 == "0" }
        let trailing = significant.reversed().prefix { $0 == "0" }.count
        digits = significant.dropLast(trailing)
        // An exponent that 64 bits can't hold moves any digit that fits into a body out of reach.
        let moved = parts.count == 2 ? Int(parts[1]) : 0
        exponent = moved.flatMap { moved in
            let (sum, overflows) = moved.addingReportingOverflow(trailing - fraction.utf8.count)
            return overflows ? nil : sum
        }
    }

    /// The number, if it is a whole one that 64 bits hold.
    var whole: Int64? {
        guard !digits.isEmpty else { return 0 }
        guard let exponent, exponent >= 0, exponent <= Self.wholeDigits,
            digits.utf8.count + exponent <= Self.wholeDigits
        else { return nil }
        return Int64((isNegative ? "-" : "") + digits + String(repeating: "0", count: exponent))
    }
}
