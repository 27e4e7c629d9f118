import Foundation
import JWTKit
import Kernel

/// The reason why a token is refused.
package enum IDTokenError: Error, Hashable, Sendable, CaseIterable {
    /// Not three parts, not JSON, or a header with an unsupported `crit`.
    case malformed
    /// Not signed, or signed with an algorithm that isn't allowed.
    case algorithm
    /// Signed with a key that the provider doesn't publish.
    case unknownKey
    /// The signature doesn't match the key.
    case signature
    /// Issued by another issuer.
    case issuer
    /// Issued to another client.
    case audience
    /// Issued to several clients, and not authorized for this one (`azp`).
    case party
    case expired
    /// Issued in the future, or too long ago.
    case issuedAt
    /// Issued for another attempt.
    case nonce
    /// The subject is missing, too long, or differs from the userinfo response.
    case subject
    /// The person authenticated too long ago, or the token doesn't say when.
    case stale
}

/// The claims of an ID token (OpenID Connect Core 1.0, 2 and 5.1).
struct IDTokenClaims: JWTPayload {
    private enum CodingKeys: String, CodingKey {
        case iss, sub, aud, azp, exp, iat, nonce, email, name
        case authenticatedAt = "auth_time"
        case emailVerified = "email_verified"
        case givenName = "given_name"
        case familyName = "family_name"
    }

    let issuer: String
    let subject: String
    let audience: [String]
    let party: String?
    /// Seconds since 1970, as all times here.
    let expiresAt: Double
    let issuedAt: Double
    let nonce: String?
    let authenticatedAt: Double?
    let profile: ProviderProfile

    init(from decoder: any Decoder) throws {
        let claims = try decoder.container(keyedBy: CodingKeys.self)
        issuer = try claims.decode(String.self, forKey: .iss)
        subject = try claims.decode(String.self, forKey: .sub)
        if let one = try? claims.decode(String.self, forKey: .aud) {
            audience = [one]
        } else {
            audience = try claims.decode([String].self, forKey: .aud)
        }
        party = try claims.decodeIfPresent(String.self, forKey: .azp)
        expiresAt = try claims.decode(Double.self, forKey: .exp)
        issuedAt = try claims.decode(Double.self, forKey: .iat)
        nonce = try claims.decodeIfPresent(String.self, forKey: .nonce)
        // Apple sometimes sends a string, as for other claims.
        authenticatedAt =
            (try? claims.decode(Double.self, forKey: .authenticatedAt))
            ?? (try? claims.decode(String.self, forKey: .authenticatedAt)).flatMap { Int64($0) }.map { Double($0) }
        profile = try ProviderProfile(from: decoder)
    }

    func encode(to encoder: any Encoder) throws {
        var claims = encoder.container(keyedBy: CodingKeys.self)
        try claims.encode(issuer, forKey: .iss)
        try claims.encode(subject, forKey: .sub)
    }

    // ``IDTokenCheck`` validates the claims. It knows the attempt and the time.
    func verify(using algorithm: some JWTAlgorithm) async throws {}
}

/// The profile that a provider returns in a token or at its userinfo endpoint.
struct ProviderProfile: Decodable, Sendable, Equatable {
    private enum CodingKeys: String, CodingKey {
        case email, name
        case emailVerified = "email_verified"
        case givenName = "given_name"
        case familyName = "family_name"
    }

    private(set) var email: String?
    /// Whether the provider verified the email. Only `true` counts. Apple sometimes sends it as a string:
    /// https://developer.apple.com/documentation/signinwithapple/authenticating-users-with-sign-in-with-apple
    private(set) var isEmailVerified: Bool
    private(set) var name: String?

    init(from decoder: any Decoder) throws {
        let claims = try decoder.container(keyedBy: CodingKeys.self)
        email = (try? claims.decodeIfPresent(String.self, forKey: .email)) ?? nil
        isEmailVerified =
            (try? claims.decode(Bool.self, forKey: .emailVerified))
            ?? ((try? claims.decode(String.self, forKey: .emailVerified)) == "true")
        func text(_ key: CodingKeys) -> String? {
            let value = (try? claims.decodeIfPresent(String.self, forKey: key)) ?? nil
            return value.flatMap { $0.allSatisfy(\.isWhitespace) ? nil : $0 }
        }
        let parts = [text(.givenName), text(.familyName)].compactMap(\.self).joined(separator: " ")
        name = text(.name) ?? (parts.isEmpty ? nil : parts)
    }

    /// Fills in missing values from another profile.
    mutating func complete(by other: ProviderProfile) {
        if email == nil {
            email = other.email
            isEmailVerified = other.isEmailVerified
        }
        name = name ?? other.name
    }
}

/// The requirements for a token (OpenID Connect Core 1.0, 3.1.3.7).
struct IDTokenCheck {
    static let longestSubject = 255

    let issuers: Set<String>
    let clientID: String
    let nonce: String
    let now: Instant
    /// Seconds since 1970 after which the person must have authenticated. `nil` where it doesn't matter.
    let freshSince: Double?

    func check(_ claims: IDTokenClaims) throws(IDTokenError) {
        let skew = Double(Limits.providerSkewSeconds)
        let seconds = Double(now.millisecondsSince1970) / 1_000
        guard issuers.contains(claims.issuer) else { throw .issuer }
        guard claims.audience.contains(clientID) else { throw .audience }
        guard claims.party == nil || claims.party == clientID, claims.audience.count == 1 || claims.party != nil else {
            throw .party
        }
        guard claims.expiresAt + skew > seconds else { throw .expired }
        let oldest = seconds - Double(Limits.providerAttemptSeconds) - skew
        guard claims.issuedAt <= seconds + skew, claims.issuedAt >= oldest else { throw .issuedAt }
        guard claims.nonce == nonce else { throw .nonce }
        guard !claims.subject.isEmpty, claims.subject.utf8.count <= Self.longestSubject,
            !claims.subject.utf8.contains(0)
        else { throw .subject }
        guard let freshSince else { return }
        // A request with `max_age` requires `auth_time` in the token (3.1.2.1). Without it, nothing is proven.
        guard let authenticatedAt = claims.authenticatedAt, authenticatedAt + skew >= freshSince,
            authenticatedAt <= seconds + skew
        else { throw .stale }
    }
}

/// The header of a token, with its signature algorithm.
struct IDTokenHeader: Decodable {
    // swift-format-ignore: the names of RFC 7515.
    private let alg: String
    private let kid: String?
    private let crit: [String]?

    let algorithm: IDTokenAlgorithm
    var keyID: String? { kid }

    private enum CodingKeys: String, CodingKey {
        case alg, kid, crit
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        alg = try container.decode(String.self, forKey: .alg)
        kid = try container.decodeIfPresent(String.self, forKey: .kid)
        crit = try container.decodeIfPresent([String].self, forKey: .crit)
        // Every header named in `crit` must be understood, and none is supported (RFC 7515, 4.1.11).
        guard crit == nil else { throw IDTokenError.malformed }
        guard let algorithm = IDTokenAlgorithm(rawValue: alg) else { throw IDTokenError.algorithm }
        self.algorithm = algorithm
    }

    /// Decodes the header of a token that isn't verified yet.
    static func of(_ token: String) throws(IDTokenError) -> IDTokenHeader {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard token.utf8.count <= Limits.providerTokenBytes, parts.count == 3,
            let bytes = Base64URL.decoded(String(parts[0])), JSONSyntax.isValid(bytes)
        else { throw .malformed }
        do {
            return try JSONDecoder().decode(IDTokenHeader.self, from: Data(bytes))
        } catch let flaw as IDTokenError {
            throw flaw
        } catch {
            throw .malformed
        }
    }
}
