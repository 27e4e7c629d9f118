import Foundation
import Kernel

/// Where a parcel is fetched or goes, as people type it.
struct PlaceText: Hashable, Sendable {
    enum Failure: Error, Equatable, Sendable {
        case empty
        case tooLong
        case controlCharacter
    }

    /// Trimmed and in Unicode's composed form.
    let text: String
    /// What is searched in.
    var folded: String { Self.fold(text) }

    init(_ typed: String) throws(Failure) {
        let composed = typed.trimmingCharacters(in: .whitespacesAndNewlines).precomposedStringWithCanonicalMapping
        let isVisible = composed.unicodeScalars.contains { scalar in
            !scalar.properties.isWhitespace && !scalar.properties.isDefaultIgnorableCodePoint
        }
        guard isVisible else { throw .empty }
        guard !composed.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
            throw .controlCharacter
        }
        guard composed.count <= Limits.placeCharacters, composed.utf8.count <= Limits.placeBytes else {
            throw .tooLong
        }
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

    static let escape: Character = "!"

    /// A pattern for LIKE that finds `typed` anywhere; `nil` for no filter.
    static func pattern(_ typed: String?) -> String? {
        guard let typed else { return nil }
        let folded = fold(typed.trimmingCharacters(in: .whitespacesAndNewlines))
        guard !folded.isEmpty else { return nil }
        var pattern = "%"
        for character in folded.unicodeScalars {
            if character == "%" || character == "_" || character == "!" { pattern.append(escape) }
            pattern.unicodeScalars.append(character)
        }
        return pattern + "%"
    }
}

/// A text of several lines.
enum LongText {
    /// The text as it is stored, `nil` for a blank one; what is wrong with it otherwise.
    static func check(_ typed: String?) throws(PlaceText.Failure) -> String? {
        guard let typed else { return nil }
        let composed = typed.replacingOccurrences(of: "\r\n", with: "\n")
            .trimmingCharacters(in: .whitespacesAndNewlines).precomposedStringWithCanonicalMapping
        guard !composed.isEmpty else { return nil }
        let isReadable = composed.unicodeScalars.allSatisfy { scalar in
            scalar == "\n" || scalar == "\t" || scalar.properties.generalCategory != .control
        }
        guard isReadable else { throw .controlCharacter }
        guard composed.count <= Limits.descriptionCharacters, composed.utf8.count <= Limits.descriptionBytes else {
            throw .tooLong
        }
        return composed
    }
}
