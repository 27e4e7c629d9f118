import Foundation

/// The name of an item or a person: trimmed, in Unicode's composed form (NFC), 1 to 50 characters.
package struct DisplayName: Hashable, Sendable {
    package let text: String

    /// The reason why a name is rejected.
    package enum Failure: Error, Equatable, Sendable {
        /// No visible character.
        case empty
        /// More than ``Limits/nameCharacters`` characters, or ``Limits/nonStarters`` combining marks in a row.
        case tooLong
        /// More than ``Limits/nameBytes`` bytes.
        case tooManyBytes
        /// A control character in the name.
        case controlCharacter
    }

    /// Trims, composes (NFC) and checks the typed text. Characters are grapheme clusters.
    package init(_ typed: String) throws(Failure) {
        guard TextLength.isReadable(typed, limit: Limits.nameBytes) else { throw .tooLong }
        // Names also come from sign-in providers. This check must precede any normalisation.
        guard StreamSafeText.isValid(typed.utf8) else { throw .tooLong }
        let composed = typed.trimmingCharacters(in: .whitespacesAndNewlines).precomposedStringWithCanonicalMapping
        let isVisible = composed.unicodeScalars.contains { scalar in
            !scalar.properties.isWhitespace && !scalar.properties.isDefaultIgnorableCodePoint
        }
        guard isVisible else { throw .empty }
        guard !composed.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
            throw .controlCharacter
        }
        guard composed.count <= Limits.nameCharacters else { throw .tooLong }
        guard composed.utf8.count <= Limits.nameBytes else { throw .tooManyBytes }
        text = composed
    }
}
