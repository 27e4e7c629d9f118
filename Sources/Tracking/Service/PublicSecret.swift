import Crypto
import Foundation
import Kernel

/// The secrets in the addresses of public pages: 128 random bits, base64url. The database finds them by their hash.
enum PublicSecret {
    static let byteCount = 16
    private static let textBytes = 22

    static func make(random: any RandomSource) -> String { Base64URL.encoded(random.bytes(byteCount)) }

    /// Returns the SHA-256 of a secret from a client; `nil` when it can't be one. A slow hash adds nothing to 128
    /// random bits.
    static func hash(shown secret: String) -> [UInt8]? {
        secret.utf8.count == textBytes ? hash(secret) : nil
    }

    static func hash(_ secret: String) -> [UInt8] { Array(SHA256.hash(data: Array(secret.utf8))) }
}
