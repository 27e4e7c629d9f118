import Foundation
import Kernel

/// A password as it is hashed: in Unicode's composed form, so that every keyboard gives the same bytes (RFC 8265, 4.2).
package struct Password: Sendable {
    /// The bytes to hash.
    package let bytes: [UInt8]

    /// Takes a password that is being chosen.
    /// - Throws: what is wrong with its length; characters are grapheme clusters, as people count.
    package init(choosing typed: String) throws(AccountProblem) {
        guard TypedLength.isReadable(typed, limit: Limits.passwordBytes) else {
            throw AccountProblem(.passwordTooLong)
        }
        let composed = typed.precomposedStringWithCanonicalMapping
        guard !composed.isEmpty else { throw AccountProblem(.passwordMissing) }
        guard composed.count >= Limits.passwordCharacters.lowerBound else { throw AccountProblem(.passwordTooShort) }
        guard Self.isShortEnough(composed) else { throw AccountProblem(.passwordTooLong) }
        bytes = Array(composed.utf8)
    }

    /// Takes a password that is being checked: any length that an account can have, and shorter ones.
    package init(checking typed: String) throws(AccountProblem) {
        guard TypedLength.isReadable(typed, limit: Limits.passwordBytes) else {
            throw AccountProblem(.passwordTooLong)
        }
        let composed = typed.precomposedStringWithCanonicalMapping
        guard !composed.isEmpty else { throw AccountProblem(.passwordMissing) }
        guard Self.isShortEnough(composed) else { throw AccountProblem(.passwordTooLong) }
        bytes = Array(composed.utf8)
    }

    private static func isShortEnough(_ text: String) -> Bool {
        text.utf8.count <= Limits.passwordBytes && text.count <= Limits.passwordCharacters.upperBound
    }
}

/// What a rule of this module refuses.
package struct AccountProblem: Error, Equatable, Sendable {
    /// The sentence for it.
    package let message: AccountMessage

    /// Makes a problem.
    package init(_ message: AccountMessage) { self.message = message }
}
