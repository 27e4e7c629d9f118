package import Accounts
package import Kernel
package import Pictures

/// What a child's device signs in with. Shown once, stored nowhere.
package struct SignInCode: Sendable, Hashable {
    /// Names the code without giving it away.
    package let id: ID<SignInCode>
    /// ``Limits/familyCodeBytes`` random bytes, base64url.
    package let code: String
    /// The page that takes it; what the QR code says.
    package let url: String
    /// When it ceases to be good; a newer one voids it earlier.
    package let expiresAt: Instant

    /// What became of a code.
    package enum State: String, Sendable, CaseIterable {
        /// It can be used.
        case open
        /// A device has signed in with it.
        case used
        /// Nobody used it in time.
        case expired
        /// A parent voided it.
        case revoked
        /// A newer one took its place.
        case replaced
    }
}

/// Whom a code signs in; says no more than the page needs to ask "Is that you?".
package struct CodeHolder: Sendable, Hashable {
    /// The child's name.
    package let name: String
    /// The child's theme.
    package let theme: String
    /// The child's avatar; only a built-in one is shown to somebody who isn't signed in.
    package let avatarPictureID: ID<Picture>?
}

/// A child that has just signed in.
package struct ChildSignIn: Sendable {
    /// Account, session and the token, which exists nowhere else.
    package let signedIn: SignedIn
    /// The child, as it sees itself.
    package let child: Child
}

/// What another grown-up joins a household with. Shown once, stored nowhere.
package struct Invitation: Sendable, Hashable {
    /// Names the invitation without giving it away.
    package let id: ID<Invitation>
    /// ``Limits/familyCodeBytes`` random bytes, base64url.
    package let code: String
    /// The page that takes it.
    package let url: String
    /// When it ceases to be good; using it voids it earlier.
    package let expiresAt: Instant
}

/// Who invites, for somebody who has the code.
package struct Inviter: Sendable, Hashable {
    /// The name of the parent who made the invitation.
    package let name: String

    /// Makes an inviter.
    package init(name: String) { self.name = name }
}
