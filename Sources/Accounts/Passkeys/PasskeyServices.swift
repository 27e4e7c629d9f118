import Kernel
import Logging
import Storage

/// The services of passkeys (WebAuthn Level 2), one for each use.
package struct PasskeyServices: Sendable {
    package let registered: PasskeyService
    package let registrations: PasskeyRegistrationService
    package let touchID: TouchIDService
    package let unlocks: PasskeyUnlockService
    package let signIns: PasskeySignInService
    package let proofs: PasskeyProofService

    /// Browsers use passkeys only where the site is `https://` or `localhost`, and not an IP address.
    init(
        siteURL: String, database: Database, providers: ProviderCatalog, proofs: ProofService,
        signInMethods: SignInMethodReader, locks: SessionLockService, sessions: SessionCreator, events: AccountEvents,
        securityMails: SecurityMails, clock: any WallClock, random: any RandomSource, logger: Logger
    ) {
        let verifier = PasskeyVerifier(party: RelyingParty(siteURL: siteURL), logger: logger)
        registered = PasskeyService(
            database: database, providers: providers, signInMethods: signInMethods, events: events, clock: clock)
        registrations = PasskeyRegistrationService(
            database: database, verifier: verifier, proofs: proofs, events: events, securityMails: securityMails,
            clock: clock, random: random)
        touchID = TouchIDService(
            database: database, signInMethods: signInMethods, events: events, clock: clock)
        unlocks = PasskeyUnlockService(
            database: database, verifier: verifier, locks: locks, clock: clock, random: random)
        signIns = PasskeySignInService(
            database: database, verifier: verifier, sessions: sessions, clock: clock, random: random)
        self.proofs = PasskeyProofService(database: database, verifier: verifier, clock: clock, random: random)
    }
}
