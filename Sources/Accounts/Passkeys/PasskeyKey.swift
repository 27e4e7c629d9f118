import Crypto
import CryptoExtras
import Foundation
import Kernel

/// The signature algorithms for passkeys (IANA COSE Algorithms registry, RFC 9053 and RFC 8812).
package enum PasskeyAlgorithm: Int64, Sendable, CaseIterable {
    /// ECDSA on P-256 with SHA-256, for most phones and computers.
    case es256 = -7
    /// RSASSA-PKCS1-v1_5 with SHA-256, for Windows Hello on computers with an older TPM.
    case rs256 = -257
}

/// A passkey's public key.
struct PasskeyKey: Sendable, Equatable {
    private enum Form: Sendable, Equatable {
        /// X9.63, uncompressed.
        case es256([UInt8])
        case rs256(modulus: [UInt8], exponent: [UInt8])
    }

    private enum Label {
        static let type: CBOR.Key = .integer(1)
        static let algorithm: CBOR.Key = .integer(3)
        // The meaning of the negative labels depends on the key type.
        static let first: CBOR.Key = .integer(-1)
        static let second: CBOR.Key = .integer(-2)
        static let third: CBOR.Key = .integer(-3)
    }

    private static let curveType: Int64 = 2
    private static let rsaType: Int64 = 3
    private static let p256: Int64 = 1
    private static let coordinateBytes = 32
    private static let uncompressed: UInt8 = 4

    private let form: Form

    /// Decodes a COSE_Key (RFC 9052, 7; RFC 9053, 7.1.1; RFC 8230, 4). By WebAuthn Level 2, 6.5.1.1, it contains only
    /// the parameters that the algorithm needs.
    init(cose value: CBOR) throws(PasskeyError) {
        guard let map = value.map, let type = map[Label.type]?.integer, let number = map[Label.algorithm]?.integer
        else {
            throw .key
        }
        guard let algorithm = PasskeyAlgorithm(rawValue: number) else { throw .algorithm }
        switch algorithm {
        case .es256:
            guard type == Self.curveType, map.count == 5, map[Label.first]?.integer == Self.p256,
                let x = map[Label.second]?.bytes, let y = map[Label.third]?.bytes,
                x.count == Self.coordinateBytes, y.count == Self.coordinateBytes
            else { throw .key }
            try self.init(.es256, stored: [Self.uncompressed] + x + y)
        case .rs256:
            guard type == Self.rsaType, map.count == 4, let modulus = map[Label.first]?.bytes,
                let exponent = map[Label.second]?.bytes
            else { throw .key }
            try self.init(modulus: modulus, exponent: exponent)
        }
    }

    /// Decodes the result of ``stored()``.
    init(_ algorithm: PasskeyAlgorithm, stored: [UInt8]) throws(PasskeyError) {
        switch algorithm {
        case .es256:
            // Only points on the curve are accepted.
            guard (try? P256.Signing.PublicKey(x963Representation: stored)) != nil else { throw .key }
            self.init(form: .es256(stored))
        case .rs256:
            guard let key = try? _RSA.Signing.PublicKey(derRepresentation: stored),
                let parts = try? key.getKeyPrimitives()
            else { throw .key }
            try self.init(modulus: Array(parts.modulus), exponent: Array(parts.publicExponent))
        }
    }

    private init(form: Form) { self.form = form }

    private init(modulus: [UInt8], exponent: [UInt8]) throws(PasskeyError) {
        guard modulus.first != 0, modulus.count <= Limits.passkeyRSABits.upperBound / 8, exponent.count <= 4,
            let key = try? _RSA.Signing.PublicKey(n: modulus, e: exponent),
            Limits.passkeyRSABits.contains(key.keySizeInBits)
        else { throw .key }
        self.init(form: .rs256(modulus: modulus, exponent: exponent))
    }

    var algorithm: PasskeyAlgorithm {
        switch form {
        case .es256: .es256
        case .rs256: .rs256
        }
    }

    /// Returns the stored form: X9.63 of a point, SubjectPublicKeyInfo of an RSA key.
    func stored() throws -> [UInt8] {
        switch form {
        case .es256(let point): point
        case .rs256(let modulus, let exponent):
            Array(try _RSA.Signing.PublicKey(n: modulus, e: exponent).derRepresentation)
        }
    }

    /// Returns whether the key signed `message` (WebAuthn Level 2, 6.5.6: DER for ECDSA).
    func isValid(_ signature: [UInt8], for message: [UInt8]) -> Bool {
        guard signature.count <= Limits.passkeySignatureBytes else { return false }
        switch form {
        case .es256(let point):
            guard let key = try? P256.Signing.PublicKey(x963Representation: point),
                let signature = try? P256.Signing.ECDSASignature(derRepresentation: signature)
            else { return false }
            return key.isValidSignature(signature, for: SHA256.hash(data: message))
        case .rs256(let modulus, let exponent):
            guard let key = try? _RSA.Signing.PublicKey(n: modulus, e: exponent) else { return false }
            let signature = _RSA.Signing.RSASignature(rawRepresentation: Data(signature))
            return key.isValidSignature(
                signature, for: SHA256.hash(data: message), padding: .insecurePKCS1v1_5)
        }
    }
}
