/// The languages of pages, mails and notifications, by their ISO 639-1 codes.
package enum Language: String, Sendable, CaseIterable {
    /// The default.
    case english = "en"
    case german = "de"
    case spanish = "es"
    case french = "fr"

    /// The language's name in itself, so that people find theirs in any language.
    package var nativeName: String {
        switch self {
        case .english: "English"
        case .german: "Deutsch"
        case .spanish: "Español"
        case .french: "Français"
        }
    }

    /// The identifier of the locale whose formats the language's pages use, for Foundation.
    package var locale: String {
        switch self {
        case .english: "en_GB"
        case .german: "de_DE"
        case .spanish: "es_ES"
        case .french: "fr_FR"
        }
    }

    /// The sign between the whole number and its decimals.
    package var decimalSeparator: String {
        switch self {
        case .english: "."
        case .german, .spanish, .french: ","
        }
    }

    private var groupSeparator: String {
        switch self {
        case .english: ","
        case .german, .spanish: "."
        case .french: "\u{202f}"
        }
    }

    /// Whether the language's numbers are grouped by this sign.
    func groupsBy(_ sign: String) -> Bool { groupSeparator == sign }

    /// The number of digits from which a whole number is written in groups (Unicode CLDR, `minimumGroupingDigits`).
    private var minimumGroupedDigits: Int {
        switch self {
        case .english, .german, .french: 4
        case .spanish: 5
        }
    }

    /// Returns the digits of a whole number in groups: `1,234` in English, but `1234` and `12.345` in Spanish.
    package func grouped(_ digits: String) -> String {
        let count = digits.utf8.count
        guard count >= minimumGroupedDigits else { return digits }
        var text = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (count - index) % 3 == 0 { text += groupSeparator }
            text.append(digit)
        }
        return text
    }

    /// The best supported language for an `Accept-Language` header (RFC 9110, 12.5.4); English without a header.
    package static func preferred(by header: String?) -> Language {
        guard let header else { return .english }
        var best: (language: Language, quality: Double)?
        for range in header.split(separator: ",").prefix(32) {
            let parts = range.split(separator: ";")
            guard let tag = parts.first?.trimmingSpaces().lowercased() else { continue }
            guard let language = Language(rawValue: String(tag.prefix { $0 != "-" })) else { continue }
            var quality = 1.0
            if parts.count > 1, let weight = Double(parts[1].trimmingSpaces().dropFirst(2)) { quality = weight }
            if quality > best?.quality ?? 0 { best = (language, quality) }
        }
        return best?.language ?? .english
    }
}
