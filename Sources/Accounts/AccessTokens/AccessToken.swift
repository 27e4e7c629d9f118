package import Kernel

/// A credential with which a script uses a part of a person's data, until it expires.
package struct AccessToken: Sendable, Equatable {
    /// The beginning of every secret, by which people and scanners recognise it.
    package static let prefix = "hwt_"

    package let id: ID<AccessToken>
    /// The name that the person gave it.
    package let name: String
    package let scopes: Set<AccessScope>
    package let createdAt: Instant
    package let expiresAt: Instant
    /// When it was last used, to within ``Limits/accessTokenTouchSeconds``; `nil` if never.
    package let lastUsedAt: Instant?

    /// Whether the token has expired.
    package func isExpired(at now: Instant) -> Bool { expiresAt <= now }

    /// The identity of requests with this token. Access tokens can't be locked. The first use is recorded at once.
    func session(of person: PersonID) -> Session {
        var session = Session(
            id: id.cast(to: Session.self), person: person, name: name, kind: .bearer, createdAt: createdAt,
            lastUsedAt: lastUsedAt ?? Instant(millisecondsSince1970: 0))
        session.scopes = scopes
        return session
    }
}

/// A new access token with its secret. The database stores only the secret's SHA-256 hash.
package struct NewAccessToken: Sendable {
    package let token: AccessToken
    /// ``AccessToken/prefix`` and 32 random bytes, base64url.
    package let secret: String
}

/// The request for an access token, before validation.
package struct AccessTokenRequest: Sendable {
    package let name: String?
    /// The names of scopes, such as `tracking:read`.
    package let scopes: [String]
    /// ``Limits/accessTokenDays``; `nil` for ``Limits/usualAccessTokenDays``.
    package let days: Int?

    package init(name: String?, scopes: [String], days: Int?) {
        self.name = name
        self.scopes = scopes
        self.days = days
    }
}

/// A token that expires soon.
struct AccessTokenReminder: Sendable {
    let name: String
    let person: PersonID
}
