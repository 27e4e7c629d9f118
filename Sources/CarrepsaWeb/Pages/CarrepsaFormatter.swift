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

    /// Returns whole grams, 0 or more, from `1.2`, `1,25` or `3`, with the separators of the reader's language; `nil`
    /// for anything else.
    static func grams(from text: String, in language: Language) -> Int64? {
        DecimalText.units(text, decimals: decimals, in: language)
    }
}
