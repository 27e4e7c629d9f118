package import Kernel
package import Pictures
package import Storage

/// The maps app in which navigation opens.
package enum MapsApp: String, Sendable, CaseIterable {
    /// Apple Maps.
    case apple
    /// Google Maps.
    case google
}

/// Whether pages are light or dark.
package enum Appearance: String, Sendable, CaseIterable {
    /// As the device is set.
    case system
    /// Dark on light, whatever the device says.
    case light
    /// Light on dark, whatever the device says.
    case dark
}

/// Whether an account is a grown-up's or a child's.
package enum Role: String, Sendable, CaseIterable {
    /// Signs in by email and password, or by another service.
    case adult
    /// Was made by a parent; signs in by code.
    case child
}

/// A person as this server knows them.
package struct Account: Sendable, Equatable {
    /// The person's id; the account's too.
    package let id: PersonID
    /// As it was typed; `nil` for a child, and for whoever came from a service that told none.
    package internal(set) var email: String?
    /// 1 to 50 characters.
    package let name: String
    /// Much as E.164 writes it.
    package let phone: String?
    /// `YYYY-MM-DD`.
    package let dateOfBirth: String?
    /// One of ``Themes/all``.
    package let theme: String
    /// A built-in picture, one of the person's own library or, for a child, one of a parent's.
    package let avatarPictureID: ID<Picture>?
    /// Where navigation opens; `nil` until the person picked.
    package let mapsApp: MapsApp?
    /// Grown-up or child.
    package let role: Role
    /// `en` or `de`; `nil` follows the browser.
    package let language: String?
    /// Whether the person may do an operator's work.
    package internal(set) var isOperator: Bool
    /// When the link in the verification mail was followed for the present email.
    package internal(set) var emailVerifiedAt: Instant?
    /// Grows by one with each change.
    package internal(set) var version: Int64
    /// When the account was made.
    package let createdAt: Instant
    /// Whether another service vouched for the person when the account was made: nobody was asked for more than that
    /// service told.
    package internal(set) var isMadeByProvider = false
    /// Light, dark, or as the device is set.
    package internal(set) var appearance = Appearance.system
    /// A new address that a mail's link is still to confirm; ``email`` counts until then.
    package internal(set) var pendingEmail: String?
}

/// The themes that an account can wear. A theme changes accent and illustration only.
package enum Themes {
    /// What an account starts with.
    package static let standard = "standard"
    /// All of them, the standard one first.
    package static let all = [standard, "ocean", "forest", "sunset", "berry", "space", "candy"]
}

/// The languages that pages and mails are written in.
package enum Languages {
    /// ISO 639-1 codes; the first is spoken where nothing else is asked for.
    package static let all = ["en", "de"]
}

/// Who asks: proof that somebody is signed in. Every use case takes one.
package struct Actor: Sendable, Hashable {
    /// The person.
    package let person: PersonID
    /// The device they ask from.
    package let session: ID<Session>
    /// Grown-up or child.
    package let role: Role
    /// The client's address, after trusted proxies; `nil` where there is none, as on the command line.
    package let clientAddress: String?

    /// Makes an actor; only sign-in and the session middleware have a reason to.
    package init(person: PersonID, session: ID<Session>, role: Role, clientAddress: String? = nil) {
        self.person = person
        self.session = session
        self.role = role
        self.clientAddress = clientAddress
    }
}

/// Who changes something, and the client's name for this one change.
package struct Change: Sendable {
    /// Who asks.
    package let actor: Actor
    /// Makes a repetition harmless; `nil` when the client gave no key.
    package let idempotency: IdempotencyScope?
    /// The version of the resource that the asker read; `nil` for whatever it is.
    package let ifVersion: Int64?

    /// Makes a change.
    package init(actor: Actor, idempotency: IdempotencyScope? = nil, ifVersion: Int64? = nil) {
        self.actor = actor
        self.idempotency = idempotency
        self.ifVersion = ifVersion
    }

    /// Whether the asker read another version than the present one. To be asked in the change's transaction, and
    /// answered with a conflict.
    package func isStale(at version: Int64) -> Bool { ifVersion.map { $0 != version } ?? false }
}
