/// The proof in a request that the account's owner made it.
package struct Evidence: Sendable {
    /// No password: a proof must be stored already.
    package static let stored = Evidence(credential: nil)

    /// The credential that the password was checked against; `nil` without a password.
    let credential: AccountStore.Credential?
}
