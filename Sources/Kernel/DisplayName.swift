import Foundation

/// The name of a thing or a person, as people type it: trimmed, in Unicode's composed form, 1 to 50 characters.
package struct DisplayName: Hashable, Sendable {
    /// The name as it is stored.
    package let text: String

    /// Why a name was not taken.
    package enum Failure: Error, Equatable, Sendable {
        /// Nothing that can be seen.
        case empty
        /// More than ``Limits/nameCharacters`` characters, or ``Limits/nonStarters`` combining marks in a row.
        case tooLong
        /// More than ``Limits/nameBytes`` bytes.
        case tooManyBytes
        /// A control character inside.
        case controlCharacter
    }

    /// Trims, composes (NFC) and checks what was typed. Characters are grapheme clusters, as people count.
    package init(_ typed: String) throws(Failure) {
        guard TypedLength.isReadable(typed, limit: Limits.nameBytes) else { throw .tooLong }
        // Names also come from services for signing in. The check comes before anything that normalises.
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
