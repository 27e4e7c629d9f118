package import Kernel
package import Storage

/// A device that several people use, such as a family's tablet in the kitchen. It is paired by a code and has no
/// account in the store; requests and pages see one with the role ``Role/sharedDevice``.
package struct SharedDevice: Sendable, Hashable {
    /// Stands for the id of a person in events, idempotency keys and the browser's cache.
    package let person: PersonID
    /// The displayed name, for example `Chrome on Android`; see ``DeviceName``.
    package let name: String
    package let pairedAt: Instant
    /// When it was last used, to within ``Limits/sessionTouchSeconds``.
    package let lastUsedAt: Instant

    package init(person: PersonID, name: String, pairedAt: Instant, lastUsedAt: Instant) {
        self.person = person
        self.name = name
        self.pairedAt = pairedAt
        self.lastUsedAt = lastUsedAt
    }

    /// The account that requests of the device have.
    package var account: Account {
        Account(
            id: person, email: nil, name: name, phone: nil, dateOfBirth: nil, theme: Themes.standard,
            avatarPictureID: nil, mapsApp: nil, role: .sharedDevice, language: nil, isOperator: false,
            emailVerifiedAt: nil, version: 1, createdAt: pairedAt)
    }

    /// The session that requests of the device have: a browser's, without a lock.
    package var session: Session {
        Session(
            id: person.cast(to: Session.self), person: person, name: name, kind: .cookie, createdAt: pairedAt,
            lastUsedAt: lastUsedAt)
    }

    /// Returns the event after which the live streams of the device end.
    package func endEvent(now: Instant) -> ChangeEvent {
        ChangeEvent(
            audience: person, kind: AccountEvents.sessionKind, resource: AccountEvents.resource(of: session.id),
            version: 1, at: now)
    }
}

/// The secret of a shared device.
package enum SharedDeviceToken {
    private static let prefix = "shared-"

    /// Returns a new secret: 32 random bytes, base64url, after a prefix.
    package static func make(random: some RandomSource) -> String { prefix + Token.make(random: random) }

    /// Returns the SHA-256 hash of a token from a client; `nil` unless it can be one of a shared device.
    package static func hash(shown token: String) -> [UInt8]? {
        token.hasPrefix(prefix) ? Token.hash(shown: token) : nil
    }
}
