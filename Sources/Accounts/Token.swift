import Crypto
import Foundation
import Kernel

/// Secrets that we hand out once and then know only by their hash: sessions, reset links, verification links.
enum Token {
    private static let byteCount = 32
    private static let longestText = 128

    static func make(random: some RandomSource) -> String {
        Data(random.bytes(byteCount)).base64EncodedString()
            .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    /// SHA-256 of a token that somebody shows; `nil` when it can't be one of ours. The token has 256 random bits,
    /// so a slow hash would add nothing.
    static func hash(shown token: String) -> [UInt8]? {
        guard !token.isEmpty, token.utf8.count <= longestText else { return nil }
        return hash(token)
    }

    /// SHA-256 of a token that we made.
    static func hash(_ token: String) -> [UInt8] { Array(SHA256.hash(data: Array(token.utf8))) }
}
