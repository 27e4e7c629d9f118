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

    /// Parses a typed amount: digits, then optionally a point or a comma and at most ``exponent`` digits (`12.50`,
    /// `12,5`, `12`), with optional surrounding blanks.
    /// - Returns: minor units, 0 or more; `nil` for anything else: signs, grouping, `1e3`, too many decimals, overflow.
    package func minor(from text: String) -> Int64? {
        let trimmed = text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed()
        let halves = String(trimmed).split(omittingEmptySubsequences: false) { $0 == "." || $0 == "," }
        guard let whole = halves.first, halves.count <= 2, Self.isNumber(whole) else { return nil }
        var decimals = ""
        if halves.count == 2 {
            guard Self.isNumber(halves[1]), halves[1].utf8.count <= exponent else { return nil }
            decimals = String(halves[1])
        }
        decimals += String(repeating: "0", count: exponent - decimals.utf8.count)
        return Int64(whole + decimals)
    }

    private static func isNumber(_ text: Substring) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")) ~= $0 }
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
