/// A number as it is written (RFC 8259, 6), because a `Double` is less precise.
package struct JSONNumber: Sendable, Equatable {
    /// The number's text, whose syntax is valid.
    let text: String

    /// The value, if it is a whole number in 64 bits, as `5`, `5.0` and `5e0` are.
    package var whole: Int64? { Int64(text) ?? Digits(text)?.whole }

    /// The nearest `Double`; `nil` if none is finite.
    package var double: Double? { Double(text).flatMap { $0.isFinite ? $0 : nil } }
}

/// The decimal digits of a number. As a `Double`, 0.99999999999999999999 would be 1.
private struct Digits {
    /// The number of digits of the greatest 64-bit number.
    private static let wholeDigits = 19

    private let isNegative: Bool
    /// Without leading and trailing zeros; empty for zero.
    private let digits: Substring
    /// The power of ten of the last digit; `nil` beyond 64 bits.
    private let exponent: Int?

    /// - Parameter text: a number with valid syntax. The result is `nil` for any other text.
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
        // With an exponent beyond 64 bits, no digit of a body can be in the range of whole numbers.
        let moved = parts.count == 2 ? Int(parts[1]) : 0
        exponent = moved.flatMap { moved in
            let (sum, overflows) = moved.addingReportingOverflow(trailing - fraction.utf8.count)
            return overflows ? nil : sum
        }
    }

    /// The value, if it is a whole number in 64 bits.
    var whole: Int64? {
        guard !digits.isEmpty else { return 0 }
        guard let exponent, exponent >= 0, exponent <= Self.wholeDigits,
            digits.utf8.count + exponent <= Self.wholeDigits
        else { return nil }
        return Int64((isNegative ? "-" : "") + digits + String(repeating: "0", count: exponent))
    }
}
