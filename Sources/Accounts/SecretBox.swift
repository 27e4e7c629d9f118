import Crypto

/// Encrypts what must be readable again (passphrases, trackers' keys) for the store: AES-256-GCM with a key that is
/// kept in a file of its own, outside the database and its backups.
package struct SecretBox: Sendable {
    /// What can go wrong with a box.
    package enum Failure: Error, Equatable, Sendable {
        /// The key isn't 32 bytes long.
        case wrongKeyLength
        /// It was sealed with another key, or altered.
        case cannotOpen
    }

    private static let keyBytes = 32
    private let key: SymmetricKey

    /// Makes a box with a key of 32 bytes.
    package init(key: [UInt8]) throws(Failure) {
        guard key.count == Self.keyBytes else { throw .wrongKeyLength }
        self.key = SymmetricKey(data: key)
    }

    /// Encrypts, each time differently: nonce, ciphertext and tag in one.
    package func seal(_ secret: [UInt8]) throws -> [UInt8] {
        // Without a nonce handed in, one is drawn at random; 96 bits suffice for 2^32 messages a key.
        guard let sealed = try AES.GCM.seal(secret, using: key).combined else { throw Failure.cannotOpen }
        return Array(sealed)
    }

    /// Decrypts what ``seal(_:)`` made.
    /// - Throws: ``Failure/cannotOpen``.
    package func open(_ sealed: [UInt8]) throws -> [UInt8] {
        do {
            return Array(try AES.GCM.open(AES.GCM.SealedBox(combined: sealed), using: key))
        } catch {
            throw Failure.cannotOpen
        }
    }

    /// A keyed hash (HMAC-SHA256) of a message, by which a short secret can be recognised without being stored: without
    /// the key nobody can try out all of them.
    /// - Parameter purpose: keeps the hashes of different uses apart.
    package func mark(_ message: [UInt8], purpose: String) -> [UInt8] {
        let derived = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: key, info: Array(purpose.utf8), outputByteCount: Self.keyBytes
        )
        return Array(HMAC<SHA256>.authenticationCode(for: message, using: derived))
    }
}
