/// Why an authenticator's answer proves nothing. For the log; people are only told that it didn't work.
package enum PasskeyFault: String, Error, Sendable, CaseIterable {
    /// Not the JSON that browsers write, or too long.
    case clientData
    /// Made for something else: a registration where a passkey was to be used, or the other way round.
    case type
    /// Not asked for by us, asked of another session or browser, for another purpose, too old, or answered already.
    case challenge
    /// Made on another website.
    case origin
    /// Made inside a page of another website.
    case crossOrigin
    /// Bound to a TLS connection that isn't ours.
    case tokenBinding
    /// Not the bytes that authenticators write.
    case authenticatorData
    /// Not the CBOR that authenticators write, or a statement where there must be none.
    case attestation
    /// Made for another website.
    case relyingParty
    /// Nobody was there.
    case userPresence
    /// Nobody showed who they are.
    case userVerification
    /// Backed up, though it can't be.
    case backupState
    /// A registration without a credential, or another one than its id says.
    case credential
    /// An algorithm that wasn't asked for.
    case algorithm
    /// Not a key of its algorithm.
    case key
    /// Not made by the credential's key.
    case signature
    /// It was used fewer times than before: there is a copy of it.
    case signCount
    /// Nobody here has such a credential, or it is somebody else's.
    case unknown
    /// Registered already.
    case taken
}
