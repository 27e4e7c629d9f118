import Foundation

/// Checks and normalizes texts that people type: names, titles, places, descriptions, reasons. The result is trimmed
/// and in Unicode's composed form (NFC). Characters are grapheme clusters.
package enum TextValidation {
    /// The reason why a text is rejected.
    package enum Failure: Error, Equatable, Sendable {
        /// No visible character.
        case empty
        /// Too many characters, or more than ``Limits/nonStarters`` combining marks in a row.
        case tooLong
        /// Too many bytes.
        case tooManyBytes
        /// A control character in the text. In a text of one line, that is also one that begins or ends a part with
        /// another direction (UAX #9, 2): it could reorder what is around the text.
        case controlCharacter
    }

    /// Returns a text of one line with at least one visible character.
    /// - Parameters:
    ///   - characters: the maximum number of characters.
    ///   - bytes: the maximum number of bytes in UTF-8.
    package static func line(_ typed: String, characters: Int, bytes: Int) throws(Failure) -> String {
        let text = try normalized(typed, bytes: bytes)
        let isVisible = text.unicodeScalars.contains { scalar in
            !scalar.properties.isWhitespace && !scalar.properties.isDefaultIgnorableCodePoint
        }
        guard isVisible else { throw .empty }
        guard !text.unicodeScalars.contains(where: DirectionIsolate.isControl) else { throw .controlCharacter }
        return try checked(text, allowing: [], characters: characters, bytes: bytes)
    }

    /// Returns a text of several lines, which may contain tabs; `nil` if it is blank. CR LF becomes
    /// LF; a CR alone is rejected.
    /// - Parameters:
    ///   - characters: the maximum number of characters.
    ///   - bytes: the maximum number of bytes in UTF-8.
    package static func lines(_ typed: String?, characters: Int, bytes: Int) throws(Failure) -> String? {
        guard let typed else { return nil }
        let text = try normalized(typed, bytes: bytes).replacingOccurrences(of: "\r\n", with: "\n")
        guard !text.isEmpty else { return nil }
        return try checked(text, allowing: ["\n", "\t"], characters: characters, bytes: bytes)
    }

    /// Returns the text trimmed and composed. Checks only that the normalization isn't expensive.
    /// - Parameter bytes: the maximum number of bytes in UTF-8 of the final text. Longer typed texts are accepted up to
    ///   a multiple of it; the caller checks the result.
    /// - Throws: ``Failure/tooLong``.
    package static func normalized(_ typed: String, bytes: Int) throws(Failure) -> String {
        guard TextLength.isReadable(typed, limit: bytes) else { throw .tooLong }
        // Not every text comes from a form: sign-in providers send names and addresses, too.
        guard StreamSafeText.isValid(typed.utf8) else { throw .tooLong }
        return typed.trimmingCharacters(in: .whitespacesAndNewlines).precomposedStringWithCanonicalMapping
    }

    private static func checked(
        _ text: String, allowing allowed: Set<Unicode.Scalar>, characters: Int, bytes: Int
    ) throws(Failure) -> String {
        let isReadable = text.unicodeScalars.allSatisfy { scalar in
            scalar.properties.generalCategory != .control || allowed.contains(scalar)
        }
        guard isReadable else { throw .controlCharacter }
        guard text.count <= characters else { throw .tooLong }
        guard text.utf8.count <= bytes else { throw .tooManyBytes }
        return text
    }
}
