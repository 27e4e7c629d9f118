import Crypto
package import Kernel

/// Thrown for a key that can't be used.
package enum KeyFailure: Error, Equatable, Sendable {
    /// Not 32 bytes, or a point that makes the shared secret predictable (RFC 7748, 6.1).
    case unusable
}

/// An X25519 key pair (RFC 7748).
package struct KeyPair: Sendable {
    /// The secret private key, 32 bytes.
    package let privateKey: [UInt8]
    /// The public key, 32 bytes.
    package let publicKey: [UInt8]

    /// Generates a random key pair.
    package init(random: any RandomSource) throws(KeyFailure) {
        try self.init(privateKey: random.bytes(32))
    }

    /// Derives the public key from a private key of 32 bytes.
    package init(privateKey: [UInt8]) throws(KeyFailure) {
        guard let key = try? Curve25519.KeyAgreement.PrivateKey(rawRepresentation: privateKey) else {
            throw .unusable
        }
        self.privateKey = privateKey
        publicKey = Array(key.publicKey.rawRepresentation)
    }

    /// Returns the X25519 shared secret with another party's public key, 32 bytes.
    func sharedSecret(with otherPublicKey: [UInt8]) throws(KeyFailure) -> SymmetricKey {
        guard
            let own = try? Curve25519.KeyAgreement.PrivateKey(rawRepresentation: privateKey),
            let other = try? Curve25519.KeyAgreement.PublicKey(rawRepresentation: otherPublicKey),
            let secret = try? own.sharedSecretFromKeyAgreement(with: other)
        else { throw .unusable }
        let bytes = secret.withUnsafeBytes { Array($0) }
        guard bytes.contains(where: { $0 != 0 }) else { throw .unusable }
        return SymmetricKey(data: bytes)
    }
}
