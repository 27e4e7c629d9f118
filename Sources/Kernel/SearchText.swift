import Foundation

/// A text normalised for search: without case, accents, apostrophes, hyphens and the forms that letters have at the end
/// of a word. An umlaut matches both its base letter and that letter plus *e*, so that `koln` and `koeln` both find
/// `Köln`, and `Köln` finds `Koeln`.
package struct SearchText: Sendable {
    /// The folded text, and that text with transliterated umlauts as base letters.
    private let spellings: [[UInt8]]

    /// Computes the spellings of a text. A text of more than ``Limits/nameBytes`` bytes has none, because no name is
    /// that long.
    package init(_ text: String) {
        guard text.utf8.count <= Limits.nameBytes else {
            spellings = []
            return
        }
        let folded = Self.folded(text)
        spellings = [folded, Self.withoutTransliteration(folded)].map { Array($0.utf8) }
    }

    /// The sort key that ignores case and accents.
    package var sortKey: [UInt8] { spellings.first ?? [] }

    /// Returns whether `other` contains the text.
    package func isFound(in other: SearchText) -> Bool {
        zip(spellings, other.spellings).contains { wanted, found in
            wanted.isEmpty || !found.ranges(of: wanted).isEmpty
        }
    }

    /// Returns the text as searches compare it. Folding it again changes nothing.
    ///
    /// Hyphens become spaces, and apostrophes and full stops disappear, because people type `aix en provence` and
    /// `st johns`.
    package static func folded(_ text: String) -> String {
        // An acute accent in place of an apostrophe would decompose into a space with a mark.
        let typed = text.replacing("\u{b4}", with: "'").lowercased().decomposedStringWithCompatibilityMapping
        var folded = ""
        var isSpaceDue = false
        // Compatibility decomposition can produce capital letters.
        for scalar in typed.lowercased().unicodeScalars {
            if isIgnored(scalar) { continue }
            if isSpace(scalar) {
                isSpaceDue = !folded.isEmpty
                continue
            }
            if isSpaceDue { folded += " " }
            isSpaceDue = false
            if let plain = letters[scalar] { folded += plain } else { folded.unicodeScalars.append(scalar) }
        }
        return folded
    }

    /// Returns folded text with `ae`, `oe` and `ue` replaced by `a`, `o` and `u`.
    package static func withoutTransliteration(_ folded: String) -> String {
        transliterations.reduce(folded) { $0.replacing($1.pair, with: $1.letter) }
    }

    /// The replacements in their order.
    package static let transliterations: [(pair: String, letter: String)] = [("ae", "a"), ("oe", "o"), ("ue", "u")]

    private static func isIgnored(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: true
        default: ignored.contains(scalar)
        }
    }

    private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isWhitespace || scalar.properties.generalCategory == .dashPunctuation
            || hyphens.contains(scalar)
    }

    /// A minus sign and a bullet, which look like hyphens.
    private static let hyphens: Set<Unicode.Scalar> = ["\u{2212}", "\u{2043}"]
    /// Full stops, apostrophes with what people type in their place, and the stroke that makes an Arabic word longer.
    private static let ignored: Set<Unicode.Scalar> = [
        ".", "'", "`", "\u{2b9}", "\u{2bb}", "\u{2bc}", "\u{2bd}", "\u{2be}", "\u{2bf}", "\u{2c8}", "\u{55a}",
        "\u{5f3}", "\u{5f4}", "\u{640}", "\u{2018}", "\u{2019}", "\u{201a}", "\u{201b}", "\u{2032}", "\u{2035}",
        "\u{a78c}",
    ]
    /// Letters without a decomposition, and final forms, with the letters that people also type for them.
    private static let letters: [Unicode.Scalar: String] = [
        "ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ħ": "h", "ı": "i",
        "ς": "σ", "ך": "כ", "ם": "מ", "ן": "נ", "ף": "פ", "ץ": "צ", "ى": "ي", "ی": "ي", "ک": "ك", "ة": "ه",
    ]
}
