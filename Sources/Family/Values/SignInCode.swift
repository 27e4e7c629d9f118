package import Accounts
package import Kernel
package import Pictures

/// A code that signs in a child's device. It is shown once; the database has only its hash.
package struct SignInCode: Sendable, Hashable {
    /// Identifies the code without revealing it.
    package let id: ID<SignInCode>
    /// ``Limits/familyCodeBytes`` random bytes, base64url.
    package let code: String
    /// The address of the sign-in page with the code; the content of the QR code.
    package let url: String
    /// The time at which the code expires; a newer code revokes it earlier.
    package let expiresAt: Instant

    /// The state of a sign-in code.
    package enum State: String, Sendable, CaseIterable {
        case open
        /// A device signed in with it.
        case used
        /// It expired before a device used it.
        case expired
        /// A parent revoked it.
        case revoked
        /// A newer code replaced it.
        case replaced
    }
}

/// The child that a code signs in, with only the fields that the confirmation page shows.
package struct CodeHolder: Sendable, Hashable {
    package let name: String
    package let theme: String
    /// The child's avatar; a visitor who isn't signed in sees only a built-in one.
    package let avatarPictureID: ID<Picture>?
}

/// A child that has just signed in.
package struct ChildSignIn: Sendable {
    /// The account, the session and its token. The token isn't stored anywhere else.
    package let signedIn: SignedIn
    /// The child as it sees itself.
    package let child: Child
    /// Whether a chore of the child is due or overdue.
    package let hasChoresDue: Bool
}

/// A code with which another adult joins a household. It is shown once; the database has only its hash.
package struct Invitation: Sendable, Hashable {
    /// Identifies the invitation without revealing it.
    package let id: ID<Invitation>
    /// ``Limits/familyCodeBytes`` random bytes, base64url.
    package let code: String
    /// The address of the invitation's page.
    package let url: String
    /// The time at which the invitation expires; it can be used once.
    package let expiresAt: Instant
}

/// The parent who invites, for a person who has the code.
package struct Inviter: Sendable, Hashable {
    /// The name of the parent who created the invitation.
    package let name: String

    package init(name: String) { self.name = name }
}
