import Crypto
package import Kernel

/// Random secrets that are sent once and stored only as hashes: sessions, reset links, verification links.
package enum Token {
    private static let byteCount = 32
    private static let longestText = 128

    /// Returns a new token: 256 random bits, base64url.
    package static func make(random: some RandomSource) -> String {
        Base64URL.encoded(random.bytes(byteCount))
    }

    /// Returns the SHA-256 hash of a token from a client; `nil` when it can't be valid. The token has 256 random bits,
    /// so a slow hash would add nothing.
    package static func hash(shown token: String) -> [UInt8]? {
        guard !token.isEmpty, token.utf8.count <= longestText else { return nil }
        return hash(token)
    }

    /// Returns the SHA-256 hash of a token that the server created.
    package static func hash(_ token: String) -> [UInt8] { Array(SHA256.hash(data: Array(token.utf8))) }
}
