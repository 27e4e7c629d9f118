import Accounts
import Kernel
import WebCore

/// The access token resource, without its secret.
struct AccessTokenJSON: Encodable {
    let id: ID<AccessToken>
    let name: String
    let scopes: [String]
    let createdAt: Instant
    let expiresAt: Instant
    @Nullable var lastUsedAt: Instant?

    init(_ token: AccessToken) {
        id = token.id
        name = token.name
        scopes = token.scopes.sorted().map(\.rawValue)
        createdAt = token.createdAt
        expiresAt = token.expiresAt
        _lastUsedAt = Nullable(wrappedValue: token.lastUsedAt)
    }
}

/// A new access token. Only this response has the secret.
struct NewAccessTokenJSON: Encodable {
    private enum Key: String, CodingKey {
        case token
    }

    private let new: NewAccessToken

    init(_ new: NewAccessToken) { self.new = new }

    func encode(to encoder: any Encoder) throws {
        try AccessTokenJSON(new.token).encode(to: encoder)
        var object = encoder.container(keyedBy: Key.self)
        try object.encode(new.secret, forKey: .token)
    }
}
