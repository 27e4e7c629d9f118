import Crypto
import Foundation
import Kernel

/// Codes that are handed out once and then known only by their hash.
enum Secret {
    /// A code for a link: 144 random bits, base64url.
    static func code(random: some RandomSource) -> String {
        Data(random.bytes(Limits.familyCodeBytes)).base64EncodedString()
            .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    /// SHA-256 of what somebody shows; `nil` when it can't be one of ours. With 144 random bits a slow hash would add
    /// nothing.
    static func hash(shown: String) -> [UInt8]? {
        let trimmed = shown.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !trimmed.isEmpty, trimmed.utf8.count <= Limits.familyShownCodeBytes else { return nil }
        return hash(trimmed)
    }

    static func hash(_ code: String) -> [UInt8] { Array(SHA256.hash(data: Array(code.utf8))) }
}
