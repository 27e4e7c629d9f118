import Kernel
import Storage

/// The origin or destination of a package, as typed.
struct PlaceName: Hashable, Sendable {
    /// The trimmed text in Unicode normalization form C.
    let text: String
    /// The text for searches.
    var folded: String { SearchText.folded(text) }

    init(_ typed: String) throws(TextValidation.Failure) {
        text = try TextValidation.line(typed, characters: Limits.placeCharacters, bytes: Limits.placeBytes)
    }

    static let escape: Character = "!"

    /// Returns the search for places that contain `typed`; `nil` if the text is blank.
    static func search(_ typed: String?) -> PlaceSearch? {
        guard let typed else { return nil }
        let folded = SearchText.folded(typed)
        guard !folded.isEmpty else { return nil }
        return PlaceSearch(asTyped: pattern(folded), plain: pattern(SearchText.withoutTransliteration(folded)))
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
    /// The pattern for the stored text after `SearchText.withoutTransliteration`.
    let plain: String

    /// Returns the condition for a column of folded text. It can't use an index, so it applies to the rows that match
    /// the other conditions.
    func condition(_ column: StaticString) -> SQL {
        let plainColumn = SearchText.transliterations.reduce("\(raw: column)" as SQL) { text, letters in
            "REPLACE(\(sql: text), \(letters.pair), \(letters.letter))"
        }
        return """
            (\(raw: column) LIKE \(asTyped) ESCAPE '!' OR \(sql: plainColumn) LIKE \(plain) ESCAPE '!')
            """
    }
}
