import Foundation
import Kernel

/// An email address as it was typed, and the form by which addresses are compared.
package struct EmailAddress: Hashable, Sendable {
    /// Trimmed and in Unicode's composed form (NFC). Used for display and for sending mail.
    package let text: String
    /// ``text`` in lower case: two addresses are the same when their keys are.
    package let key: String

    /// The maximum length of an address in bytes (RFC 5321, 4.5.3.1.3, without the angle brackets).
    package static let maximumBytes = 254
    private static let localMaximumBytes = 64
    private static let forbidden = Set("@()<>[],;:\\\"`|".unicodeScalars)

    /// Parses an address. `nil` unless it has one @, a local part before it, and a domain with a dot after it. Whether
    /// mail arrives there is checked by the verification.
    package init?(_ typed: String) {
        guard let composed = try? TextValidation.normalized(typed, bytes: Self.maximumBytes) else { return nil }
        guard composed.utf8.count <= Self.maximumBytes else { return nil }
        // Unicode scalars: an "@" with a combining mark is another `Character`, but mail servers see the "@".
        let halves = composed.unicodeScalars.split(separator: "@", omittingEmptySubsequences: false).map(Substring.init)
        guard halves.count == 2, Self.isLocalPart(halves[0]), Self.isDomain(halves[1]) else { return nil }
        text = composed
        key = composed.lowercased().precomposedStringWithCanonicalMapping
    }

    private static func isLocalPart(_ part: Substring) -> Bool {
        guard !part.isEmpty, part.utf8.count <= localMaximumBytes else { return false }
        guard !part.hasPrefix("."), !part.hasSuffix("."), !part.contains("..") else { return false }
        return part.unicodeScalars.allSatisfy { scalar in
            !scalar.properties.isWhitespace && !forbidden.contains(scalar) && isVisible(scalar)
        }
    }

    private static func isDomain(_ part: Substring) -> Bool {
        let labels = part.split(separator: ".", omittingEmptySubsequences: false)
        guard labels.count >= 2 else { return false }
        return labels.allSatisfy { label in
            guard (1...63).contains(label.utf8.count), !label.hasPrefix("-"), !label.hasSuffix("-") else {
                return false
            }
            return label.unicodeScalars.allSatisfy { $0 == "-" || isPartOfWord($0) }
        }
    }

    private static func isPartOfWord(_ scalar: Unicode.Scalar) -> Bool {
        let properties = scalar.properties
        guard !properties.isDefaultIgnorableCodePoint else { return false }
        return switch properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
            .letterNumber, .otherNumber, .nonspacingMark, .spacingMark:
            true
        default: false
        }
    }

    private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
        guard !scalar.properties.isDefaultIgnorableCodePoint else { return false }
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: return false
        default: return true
        }
    }
}
