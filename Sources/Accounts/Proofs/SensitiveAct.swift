/// An act that decides who owns an account, or exports or deletes all its data. Each requires a proof that the owner is
/// present; signing in isn't one.
package enum SensitiveAct: String, Sendable, CaseIterable {
    /// Another email address, to which password resets are sent.
    case changeEmail = "email"
    /// A passkey, which signs in from then on.
    case addPasskey = "passkey"
    /// A provider's identity, which signs in from then on.
    case linkIdentity = "identity"
    /// The first password of an account without one.
    case setPassword = "password"
    /// A copy of everything the server stores about the person.
    case export
    /// The end of the account.
    case deleteAccount = "deletion"
}
