import CryptoExtras
import Foundation
import JWTKit
import Kernel

/// The keys of the demo's provider, generated when it starts, and the tokens signed with them.
struct DemoProviderKeys: Sendable {
    /// The signature algorithms of the vendors.
    enum Algorithm: String {
        case rs256 = "RS256"
        case es256 = "ES256"
    }

    struct PublishedKeys: Encodable {
        let keys: [[String: String]]
    }

    private static let rsaID = "demo-rsa"
    private static let curveID = "demo-curve"

    private let rsa: JWTKit.Insecure.RSA.PrivateKey
    private let curve: ES256PrivateKey

    init() throws {
        rsa = try JWTKit.Insecure.RSA.PrivateKey(backing: _RSA.Signing.PrivateKey(keySize: .bits2048))
        curve = ES256PrivateKey()
    }

    /// Returns base64 as base64url.
    private func url(_ base64: String) -> String { Base64URL.encoded(Base64URL.decoded(base64) ?? []) }

    /// The public keys as a JSON Web Key Set (RFC 7517).
    func published() throws -> PublishedKeys {
        let rsaParts = try rsa.publicKey.getKeyPrimitives()
        var keys = [
            [
                "kty": "RSA", "kid": Self.rsaID, "use": "sig", "alg": Algorithm.rs256.rawValue,
                "n": Base64URL.encoded(rsaParts.modulus), "e": Base64URL.encoded(rsaParts.publicExponent),
            ]
        ]
        if let point = curve.parameters {
            keys.append([
                "kty": "EC", "kid": Self.curveID, "use": "sig", "alg": Algorithm.es256.rawValue, "crv": "P-256",
                "x": url(point.x), "y": url(point.y),
            ])
        }
        return PublishedKeys(keys: keys)
    }

    /// Returns a signed identity token.
    func token(_ claims: DemoClaims, _ algorithm: Algorithm) async throws -> String {
        let keys = JWTKeyCollection()
        switch algorithm {
        case .rs256:
            await keys.add(rsa: rsa, digestAlgorithm: .sha256)
            return try await keys.sign(claims, kid: JWKIdentifier(string: Self.rsaID))
        case .es256:
            await keys.add(ecdsa: curve)
            return try await keys.sign(claims, kid: JWKIdentifier(string: Self.curveID))
        }
    }
}

/// The claims of an identity token.
struct DemoClaims: JWTPayload {
    private enum CodingKeys: String, CodingKey {
        case iss, sub, aud, iat, exp, nonce, email, name
        case emailVerified = "email_verified"
        case authenticatedAt = "auth_time"
    }

    let iss: String
    let sub: String
    let aud: String
    let iat: Int64
    let exp: Int64
    let nonce: String?
    let email: String?
    let emailVerified: Bool?
    let name: String?
    let authenticatedAt: Int64

    func verify(using algorithm: some JWTAlgorithm) async throws {}
}
