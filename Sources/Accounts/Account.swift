package import Kernel
package import Pictures
package import Storage

/// The maps app in which navigation opens.
package enum MapsApp: String, Sendable, CaseIterable {
    case apple
    case google
}

/// The color scheme of the pages.
package enum Appearance: String, Sendable, CaseIterable {
    /// Follows the setting of the device.
    case system
    /// Dark text on a light background, whatever the device is set to.
    case light
    /// Light text on a dark background, whatever the device is set to.
    case dark
}

/// Whether an account belongs to an adult or a child, or stands for a shared device.
package enum Role: String, Sendable, CaseIterable {
    /// Signs in by email and password, by passkey, or through an identity provider.
    case adult
    /// Created by a parent. Signs in by code.
    case child
    /// A device that several people use (``SharedDevice``). No account in the store has this role.
    case sharedDevice
}

/// The stored profile and state of one person's account.
package struct Account: Sendable, Equatable {
    /// The id of the person. The account has no other.
    package let id: PersonID
    /// The address as it was typed. `nil` for a child, and for an adult whose identity provider sent none.
    package internal(set) var email: String?
    /// 1 to 50 characters.
    package let name: String
    /// A number of the form that ``PhoneNumber`` accepts, close to E.164.
    package let phone: String?
    /// `YYYY-MM-DD`.
    package let dateOfBirth: String?
    /// One of ``Themes/all``.
    package let theme: String
    /// A built-in picture, one from the person's own library or, for a child, one from a parent's library.
    package let avatarPictureID: ID<Picture>?
    /// Where navigation opens. `nil` until the person chooses.
    package let mapsApp: MapsApp?
    package let role: Role
    /// `en` or `de`. `nil` follows the browser.
    package let language: String?
    /// Whether the person has administrator rights.
    package internal(set) var isOperator: Bool
    /// When the person followed the verification link for the current email.
    package internal(set) var emailVerifiedAt: Instant?
    /// Increases by one with each change.
    package internal(set) var version: Int64
    package let createdAt: Instant
    /// Whether an identity provider vouched for the person at registration. The registration then asked for nothing
    /// that the provider didn't send.
    package internal(set) var isFromProvider = false
    package internal(set) var appearance = Appearance.system
    /// A new address that isn't confirmed yet. ``email`` stays in effect until then.
    package internal(set) var pendingEmail: String?
    /// When an administrator disabled the account; `nil` for an account that can be used.
    package internal(set) var disabledAt: Instant?
    /// Until when the person shares their position with others; `nil` for a person who doesn't. May be past.
    package internal(set) var positionSharedUntil: Instant?

    /// Whether the person shares their position with others.
    package func sharesPosition(now: Instant) -> Bool { positionSharedUntil.map { $0 > now } ?? false }
}

/// The themes an account can use. A theme changes only the accent color and the illustrations.
package enum Themes {
    /// The theme of a new account.
    package static let standard = "standard"
    /// All themes, the standard one first.
    package static let all = [standard, "ocean", "forest", "sunset", "berry", "space", "candy"]
}

/// The signed-in person of a request and their session. Every use case takes one.
package struct Actor: Sendable, Hashable {
    package let person: PersonID
    package let session: ID<Session>
    package let role: Role
    /// The client's address after trusted proxies. `nil` where there is none, as on the command line.
    package let clientAddress: String?
    /// Whether the person acts by an access token, which never has an administrator's rights.
    package let hasAccessToken: Bool

    /// Creates an actor. Only sign-in and the session middleware may do so.
    package init(
        person: PersonID, session: ID<Session>, role: Role, clientAddress: String? = nil, hasAccessToken: Bool = false
    ) {
        self.person = person
        self.session = session
        self.role = role
        self.clientAddress = clientAddress
        self.hasAccessToken = hasAccessToken
    }

    /// - Throws: ``AppError`` `forbidden` for a child.
    func requireAdult() throws {
        guard role == .adult else { throw AppError(.forbidden, .parentsOnly) }
    }
}

/// The actor, idempotency key and expected version of one change.
package struct Change: Sendable {
    package let actor: Actor
    /// The scope of the client's idempotency key, and what the change is charged to. `nil` without either.
    package let idempotency: IdempotencyScope?
    /// The version of the resource that the client read. `nil` accepts any version.
    package let ifVersion: Int64?

    package init(actor: Actor, idempotency: IdempotencyScope? = nil, ifVersion: Int64? = nil) {
        self.actor = actor
        self.idempotency = idempotency
        self.ifVersion = ifVersion
    }

    /// Returns whether the client read a version other than `version`. Call this in the transaction of the change, and
    /// throw a conflict if it is true.
    package func isStale(at version: Int64) -> Bool { ifVersion.map { $0 != version } ?? false }

    /// Charges a change whose response is a secret that isn't stored, so that it is made for each request.
    /// `Transaction.once` charges all others.
    /// - Throws: ``AppError`` `throttled`.
    package func charge(now: Instant, in tx: Transaction) throws { try idempotency?.charge?(now, tx) }
}
