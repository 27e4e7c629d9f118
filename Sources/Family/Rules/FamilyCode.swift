import Accounts
import Foundation

/// Codes that a person sees once and that are also pasted.
enum FamilyCode {
    /// Returns the hash of a code that a client sent; `nil` if it can't be one.
    static func hash(shown: String) -> [UInt8]? {
        Token.hash(shown: shown.trimmingCharacters(in: .whitespacesAndNewlines))
    }
}
