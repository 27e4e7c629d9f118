import Foundation

/// A text normalised for search: without case and accents. An umlaut matches both its base letter and that letter plus
/// *e*, so that `koln` and `koeln` both find `Köln`, and `Köln` finds `Koeln`.
package struct SearchText: Sendable {
    /// The text without accents, and the text with umlauts written out.
    private let spellings: [[UInt8]]

    /// Computes the spellings of a text. A text of more than ``Limits/nameBytes`` bytes has none, because no name is
    /// that long.
    package init(_ text: String) {
        guard text.utf8.count <= Limits.nameBytes else {
            spellings = []
            return
        }
        var plain = ""
        var expanded = ""
        var last: Unicode.Scalar = " "
        for scalar in text.lowercased().decomposedStringWithCompatibilityMapping.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .nonspacingMark, .enclosingMark:
                if scalar == Self.diaeresis, Self.umlauts.contains(last) { expanded += "e" }
            default:
                if let letters = Self.letters[scalar] {
                    plain += letters.plain
                    expanded += letters.expanded
                } else {
                    plain.unicodeScalars.append(scalar)
                    expanded.unicodeScalars.append(scalar)
                }
            }
            last = scalar
        }
        let trimmed = [plain, expanded].map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
        spellings = trimmed.map { Array($0.utf8) }
    }

    /// The sort key that ignores case and accents.
    package var sortKey: [UInt8] { spellings.first ?? [] }

    /// Returns whether `other` contains the text.
    package func isFound(in other: SearchText) -> Bool {
        spellings.contains { wanted in
            wanted.isEmpty || other.spellings.contains { !$0.ranges(of: wanted).isEmpty }
        }
    }

    private static let diaeresis: Unicode.Scalar = "\u{308}"
    private static let umlauts: Set<Unicode.Scalar> = ["a", "o", "u"]
    /// Letters without a canonical decomposition, with the spellings that people type for them.
    private static let letters: [Unicode.Scalar: (plain: String, expanded: String)] = [
        "ß": ("ss", "ss"), "æ": ("a", "ae"), "œ": ("o", "oe"), "ø": ("o", "oe"), "ł": ("l", "l"), "đ": ("d", "d"),
        "ð": ("d", "d"), "þ": ("th", "th"), "ħ": ("h", "h"), "ı": ("i", "i"),
    ]
}
