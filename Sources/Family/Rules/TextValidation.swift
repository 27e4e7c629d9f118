import Foundation
import Kernel

/// Checks and normalizes text that a person typed: trimmed, in Unicode's composed form (NFC).
enum TextValidation {
    enum Failure: Error, Equatable, Sendable {
        case empty
        case tooLong
        case tooManyBytes
        case controlCharacter
    }

    /// Returns a text of one line with at least one visible character.
    static func line(_ typed: String, characters: Int, bytes: Int) throws(Failure) -> String {
        guard TextLength.isReadable(typed, limit: bytes) else { throw .tooLong }
        let composed = composed(typed)
        let isVisible = composed.unicodeScalars.contains { scalar in
            !scalar.properties.isWhitespace && !scalar.properties.isDefaultIgnorableCodePoint
        }
        guard isVisible else { throw .empty }
        guard composed.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control }) else {
            throw .controlCharacter
        }
        guard composed.count <= characters else { throw .tooLong }
        guard composed.utf8.count <= bytes else { throw .tooManyBytes }
        return composed
    }

    /// Returns a text of several lines; `nil` if it is blank.
    static func lines(_ typed: String?, characters: Int, bytes: Int) throws(Failure) -> String? {
        guard TextLength.isReadable(typed ?? "", limit: bytes) else { throw .tooLong }
        let composed = composed((typed ?? "").replacingOccurrences(of: "\r\n", with: "\n"))
        guard !composed.isEmpty else { return nil }
        let isReadable = composed.unicodeScalars.allSatisfy { scalar in
            scalar == "\n" || scalar == "\t" || scalar.properties.generalCategory != .control
        }
        guard isReadable else { throw .controlCharacter }
        guard composed.count <= characters else { throw .tooLong }
        guard composed.utf8.count <= bytes else { throw .tooManyBytes }
        return composed
    }

    private static func composed(_ typed: String) -> String {
        typed.trimmingCharacters(in: .whitespacesAndNewlines).precomposedStringWithCanonicalMapping
    }
}
