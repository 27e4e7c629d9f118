import Crypto
package import Kernel

/// Why a key can't be used.
package enum KeyFailure: Error, Equatable, Sendable {
    /// Not 32 bytes, or a point that would make the shared secret known to everybody (RFC 7748, 6.1).
    case unusable
}

/// An X25519 key pair (RFC 7748).
package struct KeyPair: Sendable {
    /// 32 bytes, secret.
    package let privateKey: [UInt8]
    /// 32 bytes.
    package let publicKey: [UInt8]

    /// Draws a key pair.
    package init(random: any RandomSource) throws(KeyFailure) {
        try self.init(privateKey: random.bytes(32))
    }

    /// The pair of a private key of 32 bytes.
    package init(privateKey: [UInt8]) throws(KeyFailure) {
        guard let key = try? Curve25519.KeyAgreement.PrivateKey(rawRepresentation: privateKey) else {
            throw .unusable
        }
        self.privateKey = privateKey
        publicKey = Array(key.publicKey.rawRepresentation)
    }

    /// The X25519 function of this private and another's public key: 32 bytes.
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
