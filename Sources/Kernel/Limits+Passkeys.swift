extension Limits {
    /// Passkeys of one account.
    package static let passkeysPerAccount = 20
    /// Seconds within which a challenge must be answered; it is good once.
    package static let passkeyChallengeSeconds: Int64 = 5 * 60
    /// Open challenges of one session; a further one drops the oldest.
    package static let passkeyChallengesPerSession = 8
    /// Open challenges for signing in from one client address.
    package static let passkeyChallengesPerAddress = 500
    /// Passkeys from one client address that proved nothing, in ``throttleSeconds``.
    package static let passkeyFailuresPerAddress = 100
    /// Bytes of what a browser says that it was asked.
    package static let passkeyClientDataBytes = 8 * 1024
    /// Bytes of an attestation object; the statement in it may hold certificates.
    package static let passkeyAttestationBytes = 32 * 1024
    /// Bytes of what an authenticator says when a passkey is used.
    package static let passkeyAuthenticatorDataBytes = 4 * 1024
    /// Bytes of a signature: RSA with the largest key.
    package static let passkeySignatureBytes = 512
    /// Bytes of a credential's id (WebAuthn Level 2, 6.5.1).
    package static let passkeyIDBytes = 1...1023
    /// Bits of an RSA key's modulus.
    package static let passkeyRSABits = 2048...4096
    /// Lists and maps of CBOR inside one another.
    package static let cborDepth = 6
    /// Values in one piece of CBOR, all levels together.
    package static let cborValues = 256
}
