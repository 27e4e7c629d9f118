/// A sign-in at a provider, with the parameters of its purpose.
package enum ProviderAttempt: Sendable {
    /// Signs in. The identity with the code `offer` is then linked to the account.
    case signIn(offer: String?)
    /// Links the provider as another way to sign in. Requires the password or a stored proof.
    case link(Actor, password: String?)
    /// Proves the owner's presence for one act.
    case confirm(Actor, for: SensitiveAct)
}

/// The redirect to a provider.
package struct ProviderRedirect: Sendable {
    /// The authorization URL.
    package let url: String
    /// The secret that the browser stores in a cookie of its own until it comes back.
    package let browser: String
}
