import Crypto

/// What messages are signed with, so that a push service takes them from nobody else for the same subscription. Browsers
/// subscribe for its public half: when it is lost, all devices have to be turned on anew.
package struct PushKey: Sendable {
    /// What can be wrong with a key.
    package enum Failure: Error, Equatable, Sendable {
        /// Its file isn't 32 bytes long.
        case wrongLength
        /// No key could be made of it, which happens once in 2^128.
        case unusable
    }

    private static let byteCount = 32
    private static let tries = 4
    private let key: P256.Signing.PrivateKey

    /// Makes the key of 32 secret bytes. Not each number of that size is a key of P-256, so they are derived from them
    /// (HKDF, RFC 5869), the first that is one.
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

    /// The public half as browsers and push services take it: 65 bytes, base64url.
    var publicText: String { Base64URL.text(key.publicKey.x963Representation) }

    /// ES256 (RFC 7518, 3.4).
    func sign(_ text: String) throws -> [UInt8] {
        Array(try key.signature(for: Array(text.utf8)).rawRepresentation)
    }
}
