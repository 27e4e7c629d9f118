import Crypto
import Kernel

/// The secret in the URL to which the cloud's route posts. A client with the secret can submit devices' messages.
package struct WebhookSecret: Sendable {
    private let digest: SHA256.Digest

    /// Creates a secret; `nil` unless it has at least ``Limits/webhookSecretCharacters`` letters, digits, `-` or `_`.
    /// 22 random characters can't be guessed.
    package init?(_ text: String) {
        let isPlain = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                true
            default: false
            }
        }
        guard isPlain, text.utf8.count >= Limits.webhookSecretCharacters else { return nil }
        digest = Self.digest(text)
    }

    /// Whether `typed` is one of the secrets. The comparison takes constant time and covers all secrets.
    package static func matches(_ typed: String, anyOf secrets: [WebhookSecret]) -> Bool {
        let digest = digest(typed)
        // The library compares digests in constant time.
        return secrets.reduce(false) { found, secret in secret.digest == digest || found }
    }

    private static func digest(_ text: String) -> SHA256.Digest { SHA256.hash(data: Array(text.utf8)) }
}
