import Foundation
import Kernel
import Storage

/// Where a parcel is fetched or goes, as people type it.
struct PlaceText: Hashable, Sendable {
    enum Failure: Error, Equatable, Sendable {
        case empty
        case tooLong
        case tooManyBytes
        case controlCharacter
    }

    /// Trimmed and in Unicode's composed form.
    let text: String
    /// What is searched in.
    var folded: String { Self.fold(text) }

    init(_ typed: String) throws(Failure) {
        guard TypedLength.isReadable(typed, limit: Limits.placeBytes) else { throw .tooLong }
        let composed = typed.trimmingCharacters(in: .whitespacesAndNewlines).precomposedStringWithCanonicalMapping
        let isVisible = composed.unicodeScalars.contains { scalar in
            !scalar.properties.isWhitespace && !scalar.properties.isDefaultIgnorableCodePoint
        }
        guard isVisible else { throw .empty }
        guard !composed.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
            throw .controlCharacter
        }
        guard composed.count <= Limits.placeCharacters else { throw .tooLong }
        guard composed.utf8.count <= Limits.placeBytes else { throw .tooManyBytes }
        text = composed
    }

    // Letters that have no decomposition, though people type them without the stroke.
    private static let plain: [Unicode.Scalar: String] = [
        "ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ħ": "h", "ı": "i",
    ]

    /// Text blind to case and accents: `Ågård` and `agard` fold to the same.
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
        // Compatibility letters may come out of the decomposition as capitals.
        return folded.lowercased()
    }

    /// Folded text with `ae`, `oe` and `ue` as `a`, `o` and `u`, so that `koeln` finds `Köln` and `Köln` finds `Koeln`.
    /// SQL does the same to the stored folded text.
    static func withoutTransliteration(_ folded: String) -> String {
        transliterations.reduce(folded) { $0.replacing($1.pair, with: $1.letter) }
    }

    /// The pairs in the order in which they are replaced.
    static let transliterations: [(pair: String, letter: String)] = [("ae", "a"), ("oe", "o"), ("ue", "u")]

    static let escape: Character = "!"

    /// The search that finds `typed` anywhere; `nil` for no filter.
    static func search(_ typed: String?) -> PlaceSearch? {
        guard let typed else { return nil }
        let folded = fold(typed.trimmingCharacters(in: .whitespacesAndNewlines))
        guard !folded.isEmpty else { return nil }
        return PlaceSearch(asTyped: pattern(folded), plain: pattern(withoutTransliteration(folded)))
    }

    /// A pattern for LIKE that finds folded text anywhere.
    private static func pattern(_ folded: String) -> String {
        var pattern = "%"
        for character in folded.unicodeScalars {
            if character == "%" || character == "_" || character == "!" { pattern.append(escape) }
            pattern.unicodeScalars.append(character)
        }
        return pattern + "%"
    }
}

/// Patterns for LIKE. A place is found by either of them.
struct PlaceSearch: Hashable, Sendable {
    /// For the stored folded text.
    let asTyped: String
    /// For the stored folded text ``PlaceText/withoutTransliteration(_:)``.
    let plain: String

    /// The condition for a column of folded text. Only rows that the other conditions leave are compared.
    func condition(_ column: StaticString) -> SQL {
        let plainColumn = PlaceText.transliterations.reduce("\(raw: column)" as SQL) { text, letters in
            "REPLACE(\(sql: text), \(letters.pair), \(letters.letter))"
        }
        return """
            (\(raw: column) LIKE \(asTyped) ESCAPE '!' OR \(sql: plainColumn) LIKE \(plain) ESCAPE '!')
            """
    }
}

/// A text of several lines.
enum LongText {
    /// The text as it is stored, `nil` for a blank one; what is wrong with it otherwise.
    static func check(_ typed: String?) throws(PlaceText.Failure) -> String? {
        guard let typed else { return nil }
        guard TypedLength.isReadable(typed, limit: Limits.descriptionBytes) else { throw .tooLong }
        let composed = typed.replacingOccurrences(of: "\r\n", with: "\n")
            .trimmingCharacters(in: .whitespacesAndNewlines).precomposedStringWithCanonicalMapping
        guard !composed.isEmpty else { return nil }
        let isReadable = composed.unicodeScalars.allSatisfy { scalar in
            scalar == "\n" || scalar == "\t" || scalar.properties.generalCategory != .control
        }
        guard isReadable else { throw .controlCharacter }
        guard composed.count <= Limits.descriptionCharacters else { throw .tooLong }
        guard composed.utf8.count <= Limits.descriptionBytes else { throw .tooManyBytes }
        return composed
    }
}
