import Crypto

/// Encrypts secrets that must be readable again (passphrases, trackers' keys) for the database, with AES-256-GCM. The
/// key is in a file of its own, outside the database and its backups.
package struct SecretBox: Sendable {
    /// Thrown for a malformed key, or for data that this key can't decrypt.
    package enum Failure: Error, Equatable, Sendable {
        /// The key isn't 32 bytes long.
        case wrongKeyLength
        /// The data was sealed with another key, or altered.
        case cannotOpen
    }

    private static let keyBytes = 32
    private let key: SymmetricKey

    /// Creates a box with a key of 32 bytes.
    package init(key: [UInt8]) throws(Failure) {
        guard key.count == Self.keyBytes else { throw .wrongKeyLength }
        self.key = SymmetricKey(data: key)
    }

    /// Encrypts a secret. The result contains nonce, ciphertext and tag, and differs each time.
    package func seal(_ secret: [UInt8]) throws -> [UInt8] {
        // The default nonce is random. 96 bits suffice for 2^32 messages per key.
        guard let sealed = try AES.GCM.seal(secret, using: key).combined else { throw Failure.cannotOpen }
        return Array(sealed)
    }

    /// Decrypts the result of ``seal(_:)``.
    /// - Throws: ``Failure/cannotOpen``.
    package func open(_ sealed: [UInt8]) throws -> [UInt8] {
        do {
            return Array(try AES.GCM.open(AES.GCM.SealedBox(combined: sealed), using: key))
        } catch {
            throw Failure.cannotOpen
        }
    }

    /// Returns a keyed hash (HMAC-SHA256) of a message, by which a short secret can be recognized without being stored.
    /// Without the key, it can't be found by trying all values.
    /// - Parameter purpose: separates the hashes of different uses.
    package func mark(_ message: [UInt8], purpose: String) -> [UInt8] {
        let derived = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: key, info: Array(purpose.utf8), outputByteCount: Self.keyBytes
        )
        return Array(HMAC<SHA256>.authenticationCode(for: message, using: derived))
    }
}
