import Crypto
import Kernel

/// The key that signs push messages, so that push services accept no other sender for a subscription. Subscriptions
/// are bound to its public half: if the key is lost, all devices must subscribe again.
package struct PushKey: Sendable {
    /// Thrown when a key is invalid.
    package enum Failure: Error, Equatable, Sendable {
        /// The seed isn't 32 bytes long.
        case wrongLength
        /// The seed yields no valid key; the probability is 2^-128.
        case unusable
    }

    private static let byteCount = 32
    private static let tries = 4
    private let key: P256.Signing.PrivateKey

    /// Derives the key from 32 secret bytes. Not every 32-byte number is a valid key of P-256, so it takes the first
    /// valid one of several derivations (HKDF, RFC 5869).
    /// - Throws: ``Failure``.
    package init(seed: [UInt8]) throws(Failure) {
        guard seed.count == Self.byteCount else { throw .wrongLength }
        for number in 0..<Self.tries {
            let scalar = HKDF<SHA256>.deriveKey(
                inputKeyMaterial: SymmetricKey(data: seed), salt: Array("homeward push".utf8), info: [UInt8(number)],
                outputByteCount: Self.byteCount
            )
            if let key = try? P256.Signing.PrivateKey(rawRepresentation: scalar.withUnsafeBytes { Array($0) }) {
                self.key = key
                return
            }
        }
        throw .unusable
    }

    /// The public key for browsers and push services: 65 bytes in base64url.
    var publicText: String { Base64URL.encoded(key.publicKey.x963Representation) }

    /// Returns the ES256 signature (RFC 7518, 3.4).
    func sign(_ text: String) throws -> [UInt8] {
        Array(try key.signature(for: Array(text.utf8)).rawRepresentation)
    }
}
