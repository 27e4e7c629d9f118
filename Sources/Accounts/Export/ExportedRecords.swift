import Kernel

/// The origin and the format of an export.
struct ExportManifest: Encodable {
    /// See ``ImportArchive/currentFormat``.
    let format: Int
    let exportedAt: Instant
    let serverURL: String
    let accountId: PersonID
}

/// The account in an export.
struct ExportedAccount: Encodable {
    private enum Key: String, CodingKey {
        case isOperator, createdAt
    }

    private let account: Account

    init(_ account: Account) { self.account = account }

    func encode(to encoder: any Encoder) throws {
        try AccountData(account).encode(to: encoder)
        var object = encoder.container(keyedBy: Key.self)
        try object.encode(account.isOperator, forKey: .isOperator)
        try object.encode(account.createdAt, forKey: .createdAt)
    }
}

/// A linked identity in an export.
struct ExportedIdentity: Encodable {
    let provider: String
    let email: String?
    let linkedAt: Instant

    init(_ identity: LinkedIdentity) {
        provider = identity.provider.rawValue
        email = identity.email
        linkedAt = identity.linkedAt
    }
}

/// A passkey in an export.
struct ExportedPasskey: Encodable {
    let name: String
    let createdAt: Instant
    let lastUsedAt: Instant?

    init(_ passkey: Passkey) {
        name = passkey.name
        createdAt = passkey.createdAt
        lastUsedAt = passkey.lastUsedAt
    }
}

/// An access token in an export, without its secret.
struct ExportedAccessToken: Encodable {
    let name: String
    let scopes: String
    let createdAt: Instant
    let expiresAt: Instant
    let lastUsedAt: Instant?

    init(_ token: AccessToken) {
        name = token.name
        scopes = token.scopes.text
        createdAt = token.createdAt
        expiresAt = token.expiresAt
        lastUsedAt = token.lastUsedAt
    }
}

/// A session in an export.
struct ExportedDevice: Encodable {
    let id: ID<Session>
    let name: String
    let createdAt: Instant
    let lastUsedAt: Instant

    init(_ session: Session) {
        id = session.id
        name = session.name
        createdAt = session.createdAt
        lastUsedAt = session.lastUsedAt
    }
}
