package import Jobs
package import Kernel
package import Logging
package import Pictures
package import Storage

/// The services of accounts, one for each resource.
package struct AccountServices: Sendable {
    package let reader: AccountReader
    package let usedApps: UsedAppsReader
    package let registrations: RegistrationService
    package let signIns: SignInService
    package let authenticator: SessionAuthenticator
    package let sessions: SessionService
    package let sessionCreator: SessionCreator
    package let signInMethods: SignInMethodReader
    package let providers: ProviderServices
    package let passkeys: PasskeyServices
    package let proofs: ProofService
    package let accessTokens: AccessTokenService
    package let passwords: PasswordService
    package let passwordResets: PasswordResetService
    package let emailVerifications: EmailVerificationService
    package let emailChanges: EmailChangeService
    package let profiles: ProfileService
    package let pictures: PictureService
    package let appLocks: AppLockService
    package let sessionLocks: SessionLockService
    package let exports: DataExportService
    package let deletions: AccountDeletionService
    package let children: ChildAccountService
    package let administrators: AdministratorService
    package let administration: AccountAdministrationService
    package let registrationStates: RegistrationStateReader
    package let registrationSettings: RegistrationSettingsService
    package let setup: SetupService
    package let serverInvitations: ServerInvitationService
    package let auditLog: AuditLogReader
    package let mailAdministration: MailAdministrationService
    package let providerAdministration: ProviderAdministrationService
    package let updateNotices: UpdateNoticeService
    private let audit: AuditLog
    let database: Database
    let clock: any WallClock
    package let securityMails: SecurityMails
    package let mailSender: MailSender
    package let mailLog: MailLogReader
    /// `nil` where mail isn't set up.
    package let mailTests: MailTestService?
    package let housekeeping: AccountHousekeeping
    /// Whether mail is set up.
    package let sendsMail: Bool

    /// The rule that people see their own avatar, even when the picture belongs to another person.
    package static var avatarVisibility: any PictureVisibility { AvatarVisibility() }

    /// Creates the services.
    /// - Parameters:
    ///   - siteURL: the base URL of the site, without a slash at the end. Links in mails and from the command line
    ///     start with it.
    ///   - mail: the mail settings. Without them, the administrator handles forgotten passwords, and emails stay
    ///     unverified.
    ///   - registration: who may create an account.
    ///   - providers: the providers that people can sign in with. The last of a name takes effect.
    ///   - providerTransport: sends requests to the providers.
    ///   - dataHandlers: the apps' handlers of personal data, in the order in which the data must be deleted.
    ///   - positionSharing: stores whether people share their position; the same that Tracking has.
    ///   - deliveryMails: gets the queue of mails; the same that Carrepsa has.
    ///   - hasher: ``ScryptHasher`` by default. Tests pass others.
    package init(
        database: Database, siteURL: String, mail: MailSettings? = nil,
        registration: RegistrationPolicy = RegistrationPolicy(), providers: [ProviderSettings] = [],
        providerTransport: any ProviderTransport = HTTPProviderTransport(), dataHandlers: [any AccountDataHandler] = [],
        positionSharing: PositionSharingState = PositionSharingState(), deliveryMails: DeliveryMails? = nil,
        clock: any WallClock, random: any RandomSource, logger: Logger, hasher: (any PasswordHasher)? = nil
    ) {
        let hasher = hasher ?? ScryptHasher(random: random)
        let hashLimiter = WorkLimiter(
            places: Limits.passwordHashers, queue: Limits.passwordQueue, queuePerKey: Limits.passwordQueuePerKey,
            busy: AppError(.unavailable, .busy))
        let cache = SessionCache()
        positionSharing.register(cache)
        let throttle = SignInThrottle()
        let takenEmails = TakenEmailThrottle()
        let links = AccountLinks(siteURL: siteURL)
        let resetLinks = PasswordResetLinks(links: links)
        let undoLinks = EmailUndoLinks(links: links)
        let mailQueue = mail.map { MailQueue($0, random: random, logger: logger) }
        let securityMails = SecurityMails(queue: mailQueue, siteURL: siteURL)
        deliveryMails?.connect(mailQueue, siteURL: siteURL)
        let verifications = mailQueue.map { VerificationMails(queue: $0, links: links) }
        let events = AccountEvents(cache: cache)
        let reader = AccountReader(database: database)
        let sessions = SessionService(database: database, events: events, clock: clock)
        let sessionCreator = SessionCreator(events: events, clock: clock, random: random)
        let verifier = PasswordVerifier(
            database: database, throttle: throttle, hasher: hasher, hashLimiter: hashLimiter, clock: clock)
        let proofs = ProofService(database: database, accounts: reader, passwords: verifier, clock: clock)
        let access = AccessEnder(sessions: sessions, dataHandlers: dataHandlers)
        let passwordReplacement = PasswordReplacement(access: access, events: events, securityMails: securityMails)
        let emailReplacement = EmailReplacement(events: events, dataHandlers: dataHandlers)
        let states = RegistrationStateReader(policy: registration, database: database, clock: clock)
        let permits = RegistrationPermits(
            states: states, perHour: registration.perHour, database: database, dataHandlers: dataHandlers, clock: clock)
        let audit = AuditLog(random: random)
        let passcodes = PasscodeVerifier(database: database, hasher: hasher, hashLimiter: hashLimiter, clock: clock)
        let signInMethods = SignInMethodReader(database: database, clock: clock)
        self.signInMethods = signInMethods
        self.reader = reader
        usedApps = UsedAppsReader(dataHandlers: dataHandlers)
        self.sessions = sessions
        self.sessionCreator = sessionCreator
        self.proofs = proofs
        self.securityMails = securityMails
        sendsMail = mailQueue != nil
        accessTokens = AccessTokenService(
            database: database, proofs: proofs, sessions: sessions, events: events, securityMails: securityMails,
            clock: clock, random: random)
        registrations = RegistrationService(
            database: database, permits: permits, takenEmails: takenEmails, verifications: verifications,
            sessions: sessionCreator, hasher: hasher, hashLimiter: hashLimiter, clock: clock, random: random)
        signIns = SignInService(database: database, passwords: verifier, sessions: sessionCreator, clock: clock)
        let catalog = ProviderCatalog(providers, siteURL: siteURL)
        self.providers = ProviderServices(
            catalog: catalog, transport: providerTransport, database: database,
            proofs: proofs, permits: permits, takenEmails: takenEmails, sessions: sessionCreator, events: events,
            securityMails: securityMails, clock: clock, random: random, logger: logger)
        authenticator = SessionAuthenticator(database: database, cache: cache, clock: clock, logger: logger)
        passwords = PasswordService(
            database: database, accounts: reader, proofs: proofs, signInMethods: signInMethods,
            replacement: passwordReplacement, sessions: sessionCreator, dataHandlers: dataHandlers, hasher: hasher,
            hashLimiter: hashLimiter, clock: clock)
        passwordResets = PasswordResetService(
            database: database, mailQueue: mailQueue, replacement: passwordReplacement, throttle: throttle,
            dataHandlers: dataHandlers, hasher: hasher, hashLimiter: hashLimiter, clock: clock)
        emailVerifications = EmailVerificationService(
            database: database, verifications: verifications,
            changes: EmailChangeConfirmation(
                replacement: emailReplacement, undoLinks: undoLinks, securityMails: securityMails),
            events: events, dataHandlers: dataHandlers, clock: clock, random: random)
        emailChanges = EmailChangeService(
            database: database, replacement: emailReplacement, resetLinks: resetLinks, access: access,
            events: events, clock: clock, random: random)
        profiles = ProfileService(
            database: database, accounts: reader, proofs: proofs,
            emailChanges: EmailChangeRequests(
                proofs: proofs, verifications: verifications, undoLinks: undoLinks, securityMails: securityMails),
            takenEmails: takenEmails, events: events, dataHandlers: dataHandlers, clock: clock, random: random)
        pictures = PictureService(database: database, clock: clock)
        appLocks = AppLockService(
            database: database, permits: PasscodePermits(database: database, passcodes: passcodes), events: events,
            hasher: hasher, hashLimiter: hashLimiter, clock: clock)
        sessionLocks = SessionLockService(database: database, passcodes: passcodes, events: events, clock: clock)
        passkeys = PasskeyServices(
            siteURL: siteURL, database: database, providers: catalog, proofs: proofs, signInMethods: signInMethods,
            locks: sessionLocks, sessions: sessionCreator, events: events, securityMails: securityMails, clock: clock,
            random: random, logger: logger)
        exports = DataExportService(
            database: database, siteURL: siteURL, proofs: proofs, dataHandlers: dataHandlers, clock: clock)
        deletions = AccountDeletionService(
            database: database, proofs: proofs, signInMethods: signInMethods, sessions: sessions, events: events,
            dataHandlers: dataHandlers, clock: clock, logger: logger)
        children = ChildAccountService(sessions: sessions, events: events)
        administrators = AdministratorService(
            database: database, resetLinks: resetLinks, events: events, audit: audit, securityMails: securityMails,
            sendsMail: mailQueue != nil, hasher: hasher, hashLimiter: hashLimiter, clock: clock, random: random)
        administration = AccountAdministrationService(
            database: database, proofs: proofs, sessions: sessions, access: access, resetLinks: resetLinks,
            deletions: deletions, events: events, securityMails: securityMails, audit: audit, clock: clock,
            random: random)
        registrationStates = states
        registrationSettings = RegistrationSettingsService(
            database: database, states: states, audit: audit, clock: clock)
        setup = SetupService(
            database: database, states: states, verifications: verifications, sessions: sessionCreator, audit: audit,
            hasher: hasher, hashLimiter: hashLimiter, clock: clock, random: random)
        serverInvitations = ServerInvitationService(
            database: database, links: links, mailQueue: mailQueue, audit: audit, clock: clock, random: random)
        auditLog = AuditLogReader(database: database)
        self.audit = audit
        self.database = database
        self.clock = clock
        let log = MailLog(database: database, clock: clock, logger: logger)
        mailSender = MailSender(
            database: database, queue: mailQueue, resetLinks: resetLinks, log: log, siteURL: siteURL, clock: clock,
            random: random)
        mailLog = MailLogReader(database: database)
        mailTests = mailQueue.map { queue in
            MailTestService(mailer: queue.mailer, log: log, siteURL: siteURL, clock: clock, random: random)
        }
        mailAdministration = MailAdministrationService(
            database: database, log: mailLog, tests: mailTests, audit: audit, clock: clock)
        updateNotices = UpdateNoticeService(database: database, clock: clock)
        providerAdministration = ProviderAdministrationService(
            database: database, catalog: catalog, inspector: self.providers.inspector, audit: audit, clock: clock)
        housekeeping = AccountHousekeeping(database: database, accessTokens: accessTokens, clock: clock)
    }

    /// Returns the reader of the administrator's start page.
    /// - Parameter disputeCount: counts the packages in dispute that an administrator can decide.
    package func overview(
        _ deadJobs: DeadJobService, disputeCount: @escaping @Sendable (PersonID, Transaction) throws -> Int
    ) -> AdministrationOverviewService {
        AdministrationOverviewService(
            database: database, settings: registrationSettings, deadJobs: deadJobs, disputeCount: disputeCount,
            clock: clock)
    }

    /// Checks and records the acts of administrators in other modules.
    package var administratorActs: AdministratorActs {
        AdministratorActs(proofs: proofs, audit: audit, securityMails: securityMails)
    }

    /// Whether the server has an administrator.
    package func hasAdministrator(in tx: Transaction) throws -> Bool { try AccountStore.hasAdministrator(in: tx) }

    /// Returns the administration of background jobs, which include those of other modules.
    package func jobAdministration(_ deadJobs: DeadJobService) -> JobAdministrationService {
        JobAdministrationService(database: database, deadJobs: deadJobs, audit: audit, clock: clock)
    }
}
