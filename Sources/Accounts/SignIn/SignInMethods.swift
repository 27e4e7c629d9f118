/// The ways to sign in to one account.
package struct SignInMethods: Sendable {
    package let hasPassword: Bool
    /// The linked identities, oldest link first.
    package let identities: [LinkedIdentity]
    package let hasPasskeys: Bool
    /// Whether this session has a proof for the act that was asked about.
    package let isConfirmed: Bool
}
