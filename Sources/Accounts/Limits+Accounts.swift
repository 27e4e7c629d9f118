package import Kernel

extension Limits {
    /// Digits of a passcode.
    package static let passcodeDigits = 6
    /// Wrong passcodes in a row after which every attempt is refused for ``passcodeWaitSeconds``.
    package static let passcodeAttempts = 5
    /// Seconds for which attempts are refused after too many wrong passcodes.
    package static let passcodeWaitSeconds: Int64 = 10 * 60
    /// The choices of minutes without a request after which a browser's session is locked.
    package static let lockAfterMinutes = [1, 2, 5, 15, 30, 60]
    /// The default number of minutes.
    package static let usualLockAfterMinutes = 5
    /// The precision in seconds of the stored time of a lockable session's last request. The session locks earlier by
    /// up to this much, never later.
    package static let lockActivitySeconds: Int64 = 10
    /// The maximum number of sessions locked in one scan.
    package static let lockSweepBatch = 500

    /// The window in which emails are counted.
    package static let mailThrottleSeconds: Int64 = 60 * 60
    /// Password resets sent to one address in ``mailThrottleSeconds``, and as many other emails; security emails don't
    /// count.
    package static let mailsPerRecipient = 3
    /// Password resets that one network requests in ``mailThrottleSeconds``, and as many other emails.
    package static let mailsPerNetwork = 100
    /// Capacity of the queue of requested emails. A further email is dropped and can be requested again.
    package static let mailQueue = 1_000
    /// Capacity of the queue of security emails.
    package static let mailQueueSecurity = 10_000
    /// Seconds after which an email that can't be sent becomes a dead job.
    package static let mailKeptSeconds: Int64 = 3 * 24 * 60 * 60
    /// Duration of an email's lease in seconds, longer than ``mailCommandSeconds``.
    package static let mailLeaseSeconds: Int64 = 60
    /// Seconds until the second attempt to send an email, doubled with each further one up to
    /// ``mailRetrySecondsMaximum``.
    package static let mailRetrySeconds: Int64 = 30
    /// The maximum number of seconds between two attempts to send an email.
    package static let mailRetrySecondsMaximum: Int64 = 60 * 60
    /// Time limit of the mail command for one email, in seconds.
    package static let mailCommandSeconds = 30

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

    /// Accounts that one network can create in ``registrationThrottleSeconds``, unless the settings say otherwise.
    package static let registrationsPerHour = 100
    /// The window in which registrations count.
    package static let registrationThrottleSeconds: Int64 = 60 * 60
    /// Registrations with an unknown invitation from one network in ``throttleSeconds``.
    package static let invitationFailures = 100

    /// Milliseconds for which the state of registration is used without a database query.
    package static let registrationStateMilliseconds: Int64 = 1_000
    /// Valid codes for the set-up of a server.
    package static let setupCodes = 10
    /// Seconds that a code for the set-up is valid.
    package static let setupCodeSeconds: Int64 = 7 * 24 * 60 * 60
    /// Wrong codes for the set-up from one network in ``throttleSeconds``.
    package static let setupCodeFailures = 10
    /// Test mails that one administrator sends in ``mailThrottleSeconds``.
    package static let testMails = 20
    /// Seconds between two checks for a newer version of the program.
    package static let updateCheckSeconds: Int64 = 24 * 60 * 60
    /// Tests of sign-in providers by one administrator in ``providerTestSeconds``.
    package static let providerTests = 30
    package static let providerTestSeconds: Int64 = 15 * 60
    /// Open invitations of administrators.
    package static let serverInvitations = 200
    /// Seconds that an administrator's invitation is valid.
    package static let serverInvitationSeconds: Int64 = 7 * 24 * 60 * 60
    /// Days for which the acts of administrators are kept.
    package static let auditDays: Int64 = 2 * 365
    /// Entries of the audit log that one transaction deletes.
    package static let auditPruneBatch = 1_000

    /// Seconds for which the server makes no further request to a provider that was unreachable or sent an invalid
    /// response.
    package static let providerFailureSeconds: Int64 = 30

    /// The minimum and maximum number of characters of a password.
    package static let passwordCharacters = 8...200
    /// Password hashes computed at once.
    package static let passwordHashers = 2
    /// Password checks waiting for a hasher before the server responds "unavailable".
    package static let passwordQueue = 256
    /// Waiting password checks of one email or one client address.
    package static let passwordQueuePerKey = 64
    /// Failed sign-ins for one email in ``throttleSeconds``, and responses that it is taken.
    package static let signInFailuresPerEmail = 10
    /// Failed sign-ins from one client address in ``throttleSeconds``, and responses to it that an email is taken.
    package static let signInFailuresPerAddress = 100
    /// The window in which failures count.
    package static let throttleSeconds: Int64 = 15 * 60
    /// UTF-8 bytes of a password.
    package static let passwordBytes = 4_096
    /// Bytes of a phone number as it is typed or pasted.
    static let typedPhoneBytes = 1_000
    /// Seconds after which the time of a session's last use is stored again.
    package static let sessionTouchSeconds: Int64 = 60 * 60
    /// Seconds without use after which a session expires; a browser keeps its cookie as long.
    package static let sessionIdleSeconds: Int64 = 400 * 24 * 60 * 60
    /// Access tokens of one account, including those that expired recently.
    package static let accessTokensPerAccount = 50
    /// The days after which an access token can expire.
    package static let accessTokenDays = 1...365
    /// The default number of days.
    package static let usualAccessTokenDays = 90
    /// The choices of days that the page offers.
    package static let offeredAccessTokenDays = [7, 30, 90, 365]
    /// Seconds after which the time of an access token's last use is stored again.
    package static let accessTokenTouchSeconds: Int64 = 60
    /// Seconds for which an expired access token stays in the list, so that its person sees why a script stopped.
    package static let accessTokenKeptSeconds: Int64 = 30 * 24 * 60 * 60
    /// Seconds before the expiry of an access token at which its person is reminded. There is no reminder
    /// for tokens with a lifetime of up to twice as long.
    static let accessTokenReminderSeconds: Int64 = 7 * 24 * 60 * 60
    /// Reminders in one run of the periodic job.
    static let accessTokenReminders = 100
    /// Signed-in devices of one account; a further one replaces the least recently used.
    package static let sessionsPerAccount = 200
    /// Milliseconds for which a validated session is accepted without a database query.
    package static let sessionCacheMilliseconds: Int64 = 1_000
    /// Sessions in that cache.
    package static let sessionCacheEntries = 10_000
    /// Seconds that a password reset link is valid.
    package static let passwordResetSeconds: Int64 = 60 * 60
    /// Seconds that an email verification link is valid.
    package static let verificationSeconds: Int64 = 7 * 24 * 60 * 60
    /// Seconds that a proof of presence is valid.
    package static let proofSeconds: Int64 = 10 * 60
    /// Seconds that a new email address can wait for its confirmation.
    package static let emailChangeSeconds: Int64 = 24 * 60 * 60
    /// Seconds within which a change of the email address can be undone from the old address.
    package static let emailUndoSeconds: Int64 = 7 * 24 * 60 * 60
    /// Valid undo links of one account.
    package static let emailUndosPerAccount = 20
    /// Seconds that an invitation into a household is valid.
    package static let invitationSeconds: Int64 = 24 * 60 * 60
    /// Seconds until a request to a provider times out.
    package static let providerSeconds: Int64 = 10
    /// Seconds until connecting to a provider times out.
    package static let providerConnectSeconds: Int64 = 5
    /// Bytes of a provider's response.
    package static let providerResponseBytes = 256 * 1024
    /// Bytes of a provider's token, or of any other value in a provider's redirect.
    package static let providerTokenBytes = 16 * 1024
    /// Keys of one provider that are examined.
    package static let providerKeys = 50
    /// Seconds that a provider's endpoints and keys are cached.
    package static let providerCacheSeconds: Int64 = 60 * 60
    /// Seconds that a provider's clock may differ.
    package static let providerSkewSeconds: Int64 = 2 * 60
    /// Seconds within which a person must return from a provider and complete the sign-in.
    package static let providerAttemptSeconds: Int64 = 10 * 60
    /// Unfinished sign-in attempts from one client address.
    package static let providerAttemptsPerAddress = 100
    /// Accounts whose storage is counted in one transaction.
    static let storageCountBatch = 100
    /// Unknown secrets of public pages of one kind from one network in ``throttleSeconds``.
    package static let publicSecretFailures = 30
    /// Random bytes of a secret in the address of a public page: few, because a label shows it as a QR code.
    package static let publicSecretBytes = 16
    /// Mails about deliveries to one address in ``mailThrottleSeconds``.
    package static let deliveryMailsPerRecipient = 8
}
