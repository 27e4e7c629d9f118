extension Limits {
    /// Passkeys of one account.
    package static let passkeysPerAccount = 20
    /// Seconds for which a challenge is valid; it can be used once.
    package static let passkeyChallengeSeconds: Int64 = 5 * 60
    /// Open challenges of one session; a further one replaces the oldest.
    package static let passkeyChallengesPerSession = 8
    /// Open sign-in challenges from one client address.
    package static let passkeyChallengesPerAddress = 500
    /// Failed passkey proofs from one client address in ``throttleSeconds``.
    package static let passkeyFailuresPerAddress = 100
    /// Bytes of the client data (`clientDataJSON`).
    package static let passkeyClientDataBytes = 8 * 1024
    /// Bytes of an attestation object; its statement may contain certificates.
    package static let passkeyAttestationBytes = 32 * 1024
    /// Bytes of the authenticator data of an assertion.
    package static let passkeyAuthenticatorDataBytes = 4 * 1024
    /// Bytes of a signature: RSA with the largest accepted key.
    package static let passkeySignatureBytes = 512
    /// Bytes of a credential's id (WebAuthn Level 2, 6.5.1).
    package static let passkeyIDBytes = 1...1023
    /// Bits of an RSA key's modulus.
    package static let passkeyRSABits = 2048...4096
    /// The maximum depth of nested CBOR arrays and maps.
    package static let cborDepth = 6
    /// Values in one CBOR item, all levels together.
    package static let cborValues = 256
}
