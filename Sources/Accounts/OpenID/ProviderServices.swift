import Kernel
import Logging
import Storage

/// The services of sign-in through providers.
package struct ProviderServices: Sendable {
    package let catalog: ProviderCatalog
    package let attempts: ProviderAttemptService
    package let callbacks: ProviderCallbackService
    package let identities: IdentityService
    package let offers: IdentityOfferService
    let inspector: ProviderInspector

    init(
        catalog: ProviderCatalog, transport: any ProviderTransport, database: Database, proofs: ProofService,
        permits: RegistrationPermits, takenEmails: TakenEmailThrottle, sessions: SessionCreator, events: AccountEvents,
        securityMails: SecurityMails, clock: any WallClock, random: any RandomSource, logger: Logger
    ) {
        let metadata = ProviderMetadataCache(transport: transport, clock: clock)
        self.catalog = catalog
        attempts = ProviderAttemptService(
            database: database, providers: catalog, metadata: metadata, proofs: proofs, clock: clock, random: random)
        identities = IdentityService(
            database: database, providers: catalog, events: events, securityMails: securityMails, clock: clock)
        offers = IdentityOfferService(database: database, providers: catalog, identities: identities, clock: clock)
        let tokens = ProviderTokenClient(providers: catalog, transport: transport, clock: clock)
        inspector = ProviderInspector(
            documents: ProviderDocumentReader(transport: transport), tokens: tokens, catalog: catalog, random: random)
        callbacks = ProviderCallbackService(
            database: database, providers: catalog,
            verifier: ProviderIdentityVerifier(
                tokens: tokens,
                metadata: metadata, transport: transport, clock: clock),
            signIns: ProviderSignInService(
                database: database, offers: offers, permits: permits, takenEmails: takenEmails, sessions: sessions,
                clock: clock, random: random),
            identities: identities, proofs: ProviderProofService(database: database, clock: clock), clock: clock,
            logger: logger)
    }
}
