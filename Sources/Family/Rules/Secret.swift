import Crypto
import Foundation
import Kernel

/// Codes that a person sees once. The database has only their hashes.
enum Secret {
    /// Returns a new code for a link: 144 random bits, base64url.
    static func code(random: some RandomSource) -> String {
        Base64URL.encoded(random.bytes(Limits.familyCodeBytes))
    }

    /// Returns the SHA-256 of a code that a client sent; `nil` if it is empty or too long. A slow hash adds nothing to
    /// 144 random bits.
    static func hash(shown: String) -> [UInt8]? {
        let trimmed = shown.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !trimmed.isEmpty, trimmed.utf8.count <= Limits.familyShownCodeBytes else { return nil }
        return hash(trimmed)
    }

    static func hash(_ code: String) -> [UInt8] { Array(SHA256.hash(data: Array(code.utf8))) }
}
