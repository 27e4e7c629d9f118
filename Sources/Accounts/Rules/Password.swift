import Foundation
import Kernel

/// A password to hash, in Unicode's composed form (NFC), so that every keyboard gives the same bytes (RFC 8265, 4.2).
package struct Password: Sendable {
    package let bytes: [UInt8]

    /// Validates a new password.
    /// - Throws: the error in its length. Characters are grapheme clusters, as people count them.
    package init(choosing typed: String) throws(AccountRuleViolation) {
        guard TextLength.isReadable(typed, limit: Limits.passwordBytes) else {
            throw AccountRuleViolation(.passwordTooLong)
        }
        let composed = typed.precomposedStringWithCanonicalMapping
        guard !composed.isEmpty else { throw AccountRuleViolation(.passwordMissing) }
        guard composed.count >= Limits.passwordCharacters.lowerBound else {
            throw AccountRuleViolation(.passwordTooShort)
        }
        guard Self.isShortEnough(composed) else { throw AccountRuleViolation(.passwordTooLong) }
        bytes = Array(composed.utf8)
    }

    /// Validates a password to compare with a stored hash: any length up to the maximum.
    package init(checking typed: String) throws(AccountRuleViolation) {
        guard TextLength.isReadable(typed, limit: Limits.passwordBytes) else {
            throw AccountRuleViolation(.passwordTooLong)
        }
        let composed = typed.precomposedStringWithCanonicalMapping
        guard !composed.isEmpty else { throw AccountRuleViolation(.passwordMissing) }
        guard Self.isShortEnough(composed) else { throw AccountRuleViolation(.passwordTooLong) }
        bytes = Array(composed.utf8)
    }

    private static func isShortEnough(_ text: String) -> Bool {
        text.utf8.count <= Limits.passwordBytes && text.count <= Limits.passwordCharacters.upperBound
    }
}

/// A violation of one of this module's rules.
package struct AccountRuleViolation: Error, Equatable, Sendable {
    package let message: AccountMessage

    package init(_ message: AccountMessage) { self.message = message }
}
