package import Kernel

/// One device on which somebody is signed in.
package struct Session: Sendable, Equatable {
    /// How the device shows its token.
    package enum Kind: String, Sendable, CaseIterable {
        /// In a cookie: a browser.
        case cookie
        /// In the Authorization header: a script or another program.
        case bearer
    }

    /// The session's id; not the token.
    package let id: ID<Session>
    /// Whose it is.
    package let person: PersonID
    /// For people: `Chrome on Android`.
    package let name: String
    /// How it shows its token.
    package let kind: Kind
    /// When it signed in.
    package let createdAt: Instant
    /// When it was last seen, to within ``Limits/sessionTouchSeconds``.
    package let lastUsedAt: Instant
    /// How it stands to its account's lock.
    package internal(set) var lock: SessionLock

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

/// By what somebody showed who they are when a session began.
package enum SignInMeans: String, Sendable, CaseIterable {
    /// Email and password.
    case password
    /// A child's one-time code.
    case code
    /// Another service that vouches for them.
    case provider
    /// A passkey.
    case passkey
}

/// What is known of a device that wants to sign in.
package struct DeviceInfo: Sendable {
    /// For people: `Chrome on Android`; see ``DeviceName``.
    package let name: String
    /// How it is going to show its token.
    package let kind: Session.Kind
    /// The client's address, after trusted proxies; counts failures.
    package let clientAddress: String

    /// Makes a description.
    package init(name: String, kind: Session.Kind, clientAddress: String) {
        self.name = name
        self.kind = kind
        self.clientAddress = clientAddress
    }
}

/// What a sign-in gives. The token exists nowhere else: the store keeps only its SHA-256.
package struct SignedIn: Sendable {
    /// Who signed in.
    package let account: Account
    /// The device's new session.
    package let session: Session
    /// 32 random bytes, base64url.
    package let token: String
}
