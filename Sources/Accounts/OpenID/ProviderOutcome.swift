/// The outcome of an attempt.
package struct ProviderOutcome: Sendable {
    /// The result, which decides the page that follows.
    package enum Result: Sendable {
        /// The person is signed in. `linked` is the provider of an offered identity that was linked.
        case signedIn(SignedIn, linked: ProviderName?)
        /// An account has the same email. The identity is offered to its owner. The code is for the browser.
        case offered(code: String)
        case linked
        /// The proof is stored.
        case confirmed
        /// The person cancelled. Nothing was stored.
        case cancelled
        /// Nothing was changed.
        case refused(ProviderRejection)
    }

    /// The purpose that the attempt was begun with.
    package let purpose: AttemptPurpose
    /// The path on this site to redirect to on success.
    package let destination: String
    package let result: Result
}

/// The reason why a sign-in, link or proof is refused.
package enum ProviderRejection: String, Sendable, CaseIterable {
    /// The attempt is used, expired, or belongs to another browser.
    case expired
    /// The provider's response can't be verified.
    case failed
    /// The provider can't be reached.
    case unavailable
    /// The identity is another account's, or the account has another one of this provider.
    case taken
    /// The identity isn't linked to the signed-in account.
    case stranger
    /// The provider doesn't state that it has just authenticated the person.
    case stale
    /// Registration is closed, and the person has no account.
    case closed
    /// Registration needs an invitation.
    case uninvited
    /// An administrator disabled the account.
    case disabled
}
