import Crypto
package import Kernel

/// Random secrets that the database finds by their hashes: sessions, codes, and the addresses of public pages.
package enum Token {
    private static let longestText = 128

    /// Returns a new token: base64url of random bytes.
    /// - Parameter byteCount: 32, or fewer for addresses that are printed or typed, but at least 16.
    package static func make(byteCount: Int = 32, random: some RandomSource) -> String {
        Base64URL.encoded(random.bytes(byteCount))
    }

    /// Returns the SHA-256 hash of a token from a client; `nil` when it can't be valid. The token has at least 128
    /// random bits, so a slow hash would add nothing.
    package static func hash(shown token: String) -> [UInt8]? {
        guard !token.isEmpty, token.utf8.count <= longestText else { return nil }
        return hash(token)
    }

    /// Returns the SHA-256 hash of a token that the server created.
    package static func hash(_ token: String) -> [UInt8] { Array(SHA256.hash(data: Array(token.utf8))) }
}
