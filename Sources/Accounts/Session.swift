package import Kernel

/// One device on which a person is signed in, or an access token in use.
package struct Session: Sendable, Equatable {
    /// The way in which a client sends its token.
    package enum Kind: String, Sendable, CaseIterable {
        /// In a cookie: a browser.
        case cookie
        /// In the Authorization header: a script or another program.
        case bearer
    }

    /// The id of the session or access token, not its secret.
    package let id: ID<Session>
    package let person: PersonID
    /// The displayed name, for example `Chrome on Android`.
    package let name: String
    package let kind: Kind
    /// When the session began.
    package let createdAt: Instant
    /// When the session was last used, to within ``Limits/sessionTouchSeconds``.
    package let lastUsedAt: Instant
    package internal(set) var lock: SessionLock
    /// The rights of an access token; `nil` for a device, which has all rights of its person.
    package internal(set) var scopes: Set<AccessScope>?

    init(
        id: ID<Session>, person: PersonID, name: String, kind: Kind, createdAt: Instant, lastUsedAt: Instant
    ) {
        self.id = id
        self.person = person
        self.name = name
        self.kind = kind
        self.createdAt = createdAt
        self.lastUsedAt = lastUsedAt
        lock = SessionLock(lockedAt: nil, lockAfterMinutes: nil, activeAt: lastUsedAt)
    }
}

/// The means by which a person signed in when a session began.
package enum SignInMethod: String, Sendable, CaseIterable {
    /// Email and password.
    case password
    /// A child's one-time code.
    case code
    /// An identity provider.
    case provider
    case passkey
}

/// The description of a device that signs in.
package struct DeviceInfo: Sendable {
    /// The displayed name, for example `Chrome on Android`; see ``DeviceName``.
    package let name: String
    package let kind: Session.Kind
    /// The client's address after trusted proxies. Failures are counted by it.
    package let clientAddress: String

    package init(name: String, kind: Session.Kind, clientAddress: String) {
        self.name = name
        self.kind = kind
        self.clientAddress = clientAddress
    }
}

/// The result of a sign-in. The token exists nowhere else: the database stores only its SHA-256 hash.
package struct SignedIn: Sendable {
    package let account: Account
    package let session: Session
    /// 32 random bytes, base64url.
    package let token: String
}
