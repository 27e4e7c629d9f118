import Foundation
import Kernel
import Storage

/// The origin or destination of a package, as typed.
struct PlaceName: Hashable, Sendable {
    /// The trimmed text in Unicode normalization form C.
    let text: String
    /// The text for searches.
    var folded: String { Self.fold(text) }

    init(_ typed: String) throws(TextValidation.Failure) {
        text = try TextValidation.line(typed, characters: Limits.placeCharacters, bytes: Limits.placeBytes)
    }

    // Letters without a Unicode decomposition that people also type in plain ASCII.
    private static let plain: [Unicode.Scalar: String] = [
        "ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ħ": "h", "ı": "i",
    ]

    /// Returns the text without case and accents: `Ågård` and `agard` give the same result.
    static func fold(_ text: String) -> String {
        var folded = ""
        for scalar in text.lowercased().decomposedStringWithCompatibilityMapping.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .nonspacingMark, .enclosingMark: continue
            default: break
            }
            if scalar.properties.isWhitespace {
                folded += " "
            } else if let plain = plain[scalar] {
                folded += plain
            } else {
                folded.unicodeScalars.append(scalar)
            }
        }
        // Compatibility decomposition can produce capital letters.
        return folded.lowercased()
    }

    /// Returns folded text with `ae`, `oe` and `ue` replaced by `a`, `o` and `u`, so that `koeln` finds `Köln` and
    /// `Köln` finds `Koeln`. ``PlaceSearch/condition(_:)`` does the same in SQL.
    static func withoutTransliteration(_ folded: String) -> String {
        transliterations.reduce(folded) { $0.replacing($1.pair, with: $1.letter) }
    }

    /// The replacements in their order.
    static let transliterations: [(pair: String, letter: String)] = [("ae", "a"), ("oe", "o"), ("ue", "u")]

    static let escape: Character = "!"

    /// Returns the search for places that contain `typed`; `nil` if the text is blank.
    static func search(_ typed: String?) -> PlaceSearch? {
        guard let typed else { return nil }
        let folded = fold(typed.trimmingCharacters(in: .whitespacesAndNewlines))
        guard !folded.isEmpty else { return nil }
        return PlaceSearch(asTyped: pattern(folded), plain: pattern(withoutTransliteration(folded)))
    }

    /// Returns a LIKE pattern for texts that contain `folded`.
    private static func pattern(_ folded: String) -> String {
        var pattern = "%"
        for character in folded.unicodeScalars {
            if character == "%" || character == "_" || character == "!" { pattern.append(escape) }
            pattern.unicodeScalars.append(character)
        }
        return pattern + "%"
    }
}

/// Two LIKE patterns; a place matches if one of them does.
struct PlaceSearch: Hashable, Sendable {
    /// The pattern for the stored folded text.
    let asTyped: String
    /// The pattern for the stored text after ``PlaceName/withoutTransliteration(_:)``.
    let plain: String

    /// Returns the condition for a column of folded text. It can't use an index, so it applies to the rows that match
    /// the other conditions.
    func condition(_ column: StaticString) -> SQL {
        let plainColumn = PlaceName.transliterations.reduce("\(raw: column)" as SQL) { text, letters in
            "REPLACE(\(sql: text), \(letters.pair), \(letters.letter))"
        }
        return """
            (\(raw: column) LIKE \(asTyped) ESCAPE '!' OR \(sql: plainColumn) LIKE \(plain) ESCAPE '!')
            """
    }
}
