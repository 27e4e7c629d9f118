/// The reason why an authenticator's response is refused. For the log only: the client learns only that it failed.
package enum PasskeyError: String, Error, Sendable, CaseIterable {
    /// Not JSON of the required form, or too long.
    case clientData
    /// Made for another operation: a registration instead of an assertion, or the other way round.
    case type
    /// Unknown, of another session, browser or purpose, expired, or already used.
    case challenge
    case origin
    case crossOrigin
    /// Bound to a TLS connection (token binding), which isn't supported.
    case tokenBinding
    /// Malformed authenticator data.
    case authenticatorData
    /// Malformed CBOR, or a statement in the format `none`.
    case attestation
    /// Made for another relying party.
    case relyingParty
    /// The user wasn't present.
    case userPresence
    /// The authenticator didn't verify the user.
    case userVerification
    /// Backed up, though not eligible for backup.
    case backupState
    /// A registration without a credential, or with an id that differs.
    case credential
    /// An algorithm that wasn't requested.
    case algorithm
    /// Not a valid key of its algorithm.
    case key
    /// The signature doesn't match the credential's key.
    case signature
    /// The counter didn't increase: there may be a copy of the credential.
    case signCount
    /// The credential is unknown, or another person's.
    case unknown
    /// Already registered.
    case taken
}
