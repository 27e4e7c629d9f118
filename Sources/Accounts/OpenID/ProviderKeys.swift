import Foundation
import JWTKit
import Kernel

/// The signature algorithms that a token may use. All others are refused, above all `none` and those with shared
/// secrets: a public key is no secret.
enum IDTokenAlgorithm: String, Sendable, CaseIterable {
    case rs256 = "RS256"
    case es256 = "ES256"
}

/// A provider's public key (RFC 7517, 7518).
enum ProviderKey: Sendable {
    case rsa(Insecure.RSA.PublicKey)
    case ecdsa(ES256PublicKey)

    /// Verifies a token's signature and returns its claims.
    /// - Throws: when another key signed it, or when the claims can't be decoded.
    func verified(_ token: String) async throws -> IDTokenClaims {
        let keys = JWTKeyCollection()
        switch self {
        case .rsa(let key): await keys.add(rsa: key, digestAlgorithm: .sha256)
        case .ecdsa(let key): await keys.add(ecdsa: key)
        }
        return try await keys.verify(token, as: IDTokenClaims.self)
    }
}

/// The keys that a provider publishes. Unsupported keys are ignored, not refused (RFC 7517, 5).
struct ProviderKeys: Decodable, Sendable {
    private struct Entry: Decodable {
        // swift-format-ignore: the names of RFC 7517.
        let kty: String?
        let kid: String?
        let use: String?
        let alg: String?
        let n: String?
        let e: String?
        let crv: String?
        let x: String?
        let y: String?
    }

    /// An element of any kind, so that one undecodable key doesn't invalidate the others.
    private struct Lenient: Decodable {
        let entry: Entry?

        init(from decoder: any Decoder) throws { entry = try? Entry(from: decoder) }
    }

    private enum CodingKeys: String, CodingKey {
        case keys
    }

    private struct Named: Sendable {
        let id: String?
        let algorithm: IDTokenAlgorithm
        let key: ProviderKey
    }

    private let all: [Named]

    /// The number of keys that can sign tokens.
    var count: Int { all.count }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let entries = try container.decode([Lenient].self, forKey: .keys).compactMap(\.entry)
        all = entries.prefix(Limits.providerKeys).compactMap(Self.named)
    }

    /// Returns the key with that id; without an id, the only one for the algorithm.
    func key(_ id: String?, _ algorithm: IDTokenAlgorithm) -> ProviderKey? {
        let fitting = all.filter { $0.algorithm == algorithm && (id == nil || $0.id == id) }
        return fitting.count == 1 || id != nil ? fitting.first?.key : nil
    }

    private static func named(_ entry: Entry) -> Named? {
        guard entry.use == nil || entry.use == "sig" else { return nil }
        switch entry.kty {
        case "RSA":
            guard entry.alg == nil || entry.alg == IDTokenAlgorithm.rs256.rawValue, let n = entry.n, let e = entry.e,
                let key = try? Insecure.RSA.PublicKey(modulus: n, exponent: e)
            else { return nil }
            return Named(id: entry.kid, algorithm: .rs256, key: .rsa(key))
        case "EC":
            guard entry.alg == nil || entry.alg == IDTokenAlgorithm.es256.rawValue, entry.crv == "P-256",
                let x = entry.x, let y = entry.y,
                let key = try? ES256PublicKey(parameters: ECDSAParameters(x: x, y: y))
            else { return nil }
            return Named(id: entry.kid, algorithm: .es256, key: .ecdsa(key))
        default: return nil
        }
    }
}
