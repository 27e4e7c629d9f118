/// A currency. Amounts are whole numbers of its minor unit (cents, yen), never floating point.
package struct Currency: Hashable, Sendable {
    /// The ISO 4217 code: `EUR`.
    package let code: String
    /// The number of decimals: 2 for euros and cents, 0 for yen.
    package let exponent: Int

    private static let digits = 3
    private static let withoutDecimals: Set<String> = [
        "BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "VND", "VUV", "XAF", "XOF", "XPF",
    ]
    private static let withThreeDecimals: Set<String> = ["BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"]
    private static let symbols = ["EUR": "€", "USD": "$", "GBP": "£", "JPY": "¥", "KRW": "₩", "INR": "₹", "PLN": "zł"]

    package static let euro = Currency(known: "EUR")

    /// Accepts a code of three capital letters; returns `nil` for anything else. The decimals follow ISO 4217.
    package init?(code: String) {
        guard code.utf8.count == Self.digits, code.utf8.allSatisfy({ (UInt8(ascii: "A")...UInt8(ascii: "Z")) ~= $0 })
        else { return nil }
        self.init(known: code)
    }

    private init(known code: String) {
        self.code = code
        exponent =
            if Self.withoutDecimals.contains(code) { 0 } else if Self.withThreeDecimals.contains(code) { 3 } else { 2 }
    }

    /// Minor units per major unit: 100 for cents.
    private var scale: Int64 { (0..<exponent).reduce(1) { scale, _ in scale * 10 } }

    /// Parses an amount of a program, a setting or a command: digits, then optionally a point or a comma and at most
    /// ``exponent`` digits (`12.50`, `12,5`, `12`), with optional surrounding blanks.
    /// - Returns: minor units, 0 or more; `nil` for anything else: signs, grouping, `1e3`, too many decimals, overflow,
    ///   and a comma before three digits, which could separate thousands.
    package func minor(from text: String) -> Int64? {
        DecimalText.units(text, decimals: exponent, in: nil)
    }

    /// Parses an amount as people type and paste it: with the separators of their language, and with the currency's
    /// symbol or code before or after it.
    /// - Returns: minor units, 0 or more; `nil` for anything else, and for a text that could mean two amounts.
    package func minor(from text: String, in language: Language) -> Int64? {
        var number = text.trimmingWhitespace()
        for sign in [Self.symbols[code], code].compactMap(\.self) {
            if number.hasPrefix(sign) {
                number = number.dropFirst(sign.count)
                break
            }
            if number.hasSuffix(sign) {
                number = number.dropLast(sign.count)
                break
            }
        }
        return DecimalText.units(number, decimals: exponent, in: language)
    }

    /// Formats an amount for programs, without the currency: `12.50`, `-0.05`.
    package func decimal(_ minor: Int64) -> String {
        (minor < 0 ? "-" : "") + written(minor.magnitude, point: ".") { $0 }
    }

    /// Formats an amount for people: `€1,250.00` in English, `1.250,00 €` in German, `1250,00 €` in Spanish,
    /// `1 250,00 €` in French; a negative one with a minus sign.
    package func text(_ minor: Int64, in language: Language) -> String {
        let sign = minor < 0 ? "\u{2212}" : ""
        let symbol = Self.symbols[code]
        let number = written(minor.magnitude, point: language.decimalSeparator, grouping: language.grouped)
        switch language {
        case .english: return sign + (symbol.map { $0 + number } ?? "\(code)\u{a0}\(number)")
        case .german, .spanish, .french: return "\(sign)\(number)\u{a0}\(symbol ?? code)"
        }
    }

    private func written(_ minor: UInt64, point: String, grouping: (String) -> String) -> String {
        let scale = UInt64(scale)
        let whole = grouping(String(minor / scale))
        guard exponent > 0 else { return whole }
        let rest = String(minor % scale)
        return whole + point + String(repeating: "0", count: exponent - rest.utf8.count) + rest
    }
}
