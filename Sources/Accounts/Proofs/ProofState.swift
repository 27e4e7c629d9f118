/// The proof that a session still needs for an act.
package enum ProofState: Sendable {
    /// None: a proof is stored.
    case given
    /// The password, sent with the change.
    case password
    /// A proof without a password, by a passkey or a provider.
    case elsewhere
}
