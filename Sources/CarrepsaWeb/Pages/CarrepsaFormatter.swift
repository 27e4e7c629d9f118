import Kernel
import WebCore

/// Formats money, weights and times for a reader. Created once per response.
struct CarrepsaFormatter: Sendable {
    private static let gramsPerKilogram: Int64 = 1_000
    private static let thousand: Int64 = 1_000
    private static let exampleMinor: Int64 = 1_250

    let currency: Currency
    let now: Instant
    let times: TimeFormatter
    private let t: Translator

    init(currency: Currency, _ t: Translator, now: Instant) {
        self.currency = currency
        self.t = t
        self.now = now
        times = TimeFormatter(t, now: now)
    }

    /// Returns `€12.50` or `12,50 €`.
    func money(_ minor: Int64) -> String { currency.text(minor, in: t.language) }

    /// Returns the amount with a plus sign if it is positive.
    func movement(_ minor: Int64) -> String { (minor > 0 ? "+" : "") + money(minor) }

    /// Returns the form that people type: `12.50` or `12,50`.
    func typed(_ minor: Int64) -> String { currency.decimal(minor).replacing(".", with: decimalSeparator) }

    private var decimalSeparator: String { t.language.decimalSeparator }

    /// The example of an amount in a form's hint.
    var example: String { typed(Self.exampleMinor) }

    /// The currency symbol beside a money field: `€` or `CHF`.
    var symbol: String {
        let text = money(0)
        return text.filter { !$0.isNumber && !$0.isWhitespace && $0 != "." && $0 != "," }
    }

    /// Returns `450 g` or `1.2 kg`.
    func weight(_ grams: Int64) -> String {
        if grams < Self.gramsPerKilogram { return t("{n}\u{a0}g", ["n": String(grams)]) }
        return t("{n}\u{a0}kg", ["n": kilograms(grams)])
    }

    /// Returns the kilometres of a distance: `4.3`, or `4` for whole ones.
    func kilometres(_ metres: Double) -> String { thousandths(Int64(metres.rounded())) }

    /// Returns `1.2`, the form that people type.
    func kilograms(_ grams: Int64) -> String { thousandths(grams) }

    /// Returns a number of thousandths as a decimal without trailing zeros.
    private func thousandths(_ count: Int64) -> String {
        let rest = String(Self.thousand + count % Self.thousand).dropFirst()
        var digits = Substring(rest)
        while digits.last == "0" { digits.removeLast() }
        let whole = String(count / Self.thousand)
        return digits.isEmpty ? whole : whole + decimalSeparator + digits
    }
}

/// Parses weights as people type them.
enum Kilograms {
    private static let decimals = 3

    /// Returns whole grams, 0 or more, from `1.2`, `1,25` or `3`; `nil` for anything else.
    static func grams(from text: String) -> Int64? {
        let trimmed = text.filter { !$0.isWhitespace }
        let halves = trimmed.split(omittingEmptySubsequences: false) { $0 == "." || $0 == "," }
        guard let whole = halves.first, halves.count <= 2, isNumber(whole) else { return nil }
        var digits = ""
        if halves.count == 2 {
            guard isNumber(halves[1]), halves[1].utf8.count <= decimals else { return nil }
            digits = String(halves[1])
        }
        return Int64(whole + digits + String(repeating: "0", count: decimals - digits.utf8.count))
    }

    private static func isNumber(_ text: Substring) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
}
