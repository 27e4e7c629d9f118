/// What decides who owns an account, or takes all its data along. Each needs a proof that its owner is present; signing
/// in is none.
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
