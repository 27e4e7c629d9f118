package import Accounts
package import Kernel
package import Ledger
package import Logging
package import MapServices
package import Pictures
package import Storage

/// The services of Carrepsa, one for each resource. Every use case takes an `Actor`. The state of a package and its
/// money change in one transaction, as defined by ``DeliveryLifeCycle/table``.
package struct CarrepsaServices: Sendable {
    package let packages: PackageService
    package let acceptances: AcceptanceService
    package let handovers: HandoverService
    package let cancellations: CancellationService
    package let disputes: DisputeService
    package let wallets: WalletService
    package let payments: PaymentService
    package let paymentGuides: PaymentGuideService
    package let payoutRequests: PayoutRequestService
    package let recipients: RecipientService
    package let proofs: ProofService
    package let deliveryViews: DeliveryViewService
    package let messages: MessageService
    package let messageReports: MessageReportService
    package let blocks: BlockService
    package let reviews: ReviewService
    package let contacts: ContactService
    package let trips: TripService
    package let placeSearches: PlaceSearchService
    package let priceSuggestions: PriceSuggestionService
    package let offerLinks: OfferLinkService
    package let memberships: MembershipService
    package let housekeeping: PackageHousekeeping
    package let escrowAudit: EscrowAudit
    package let evidenceAudit: EvidenceAudit
    package let dataHandler: any AccountDataHandler
    /// The currency of all wallets.
    package let currency: Currency

    /// Executes the commands of all services.
    let commands: PackageCommandExecutor
    let walletAccounts: WalletAccounts
    private let database: Database
    private let clock: any WallClock
    private let random: any RandomSource

    /// The rule that people who see a package see its picture.
    package static var pictureVisibility: any PictureVisibility { PackagePictures() }

    /// Creates the services.
    /// - Parameters:
    ///   - secrets: creates the keyed hashes of handover codes and of mailboxes that got a welcome amount.
    ///   - welcomeAmountMinor: the initial amount of a new wallet in minor units; 0 for none.
    ///   - demandsConfirmedEmail: whether mail is set up. If so, only a confirmed email brings the welcome amount and
    ///     identifies an account for top-ups and payouts.
    ///   - deliveryMails: sends mails to the recipients of packages.
    ///   - geocoder: finds places by their address; `nil` for none.
    ///   - router: finds distances by road; `nil` for straight lines.
    ///   - limitFactor: multiplies the acceptances of a day.
    package init(
        database: Database, ledger: Ledger, secrets: SecretBox, currency: Currency, welcomeAmountMinor: Int64,
        demandsConfirmedEmail: Bool = false, deliveryMails: DeliveryMails = DeliveryMails(),
        geocoder: (any Geocoder)? = nil, router: (any RoadRouter)? = nil, limitFactor: Int = 1,
        clock: any WallClock, random: any RandomSource, logger: Logger
    ) {
        let walletAccounts = WalletAccounts(
            ledger: ledger, currency: currency, welcomeAmountMinor: welcomeAmountMinor,
            demandsConfirmedEmail: demandsConfirmedEmail, welcomed: WelcomedAddresses(secrets: secrets))
        let memberships = MembershipService(
            database: database, walletAccounts: walletAccounts, cache: MembershipCache(), clock: clock)
        let link = RecipientLink(secrets: secrets)
        let recipientNotifier = RecipientNotifier(mails: deliveryMails, link: link)
        let notifier = PackageNotifier(currency: currency, recipients: recipientNotifier)
        let transitions = PackageTransitions(
            ledger: ledger, currency: currency, notifier: notifier, areas: HiddenAreas(secrets: secrets),
            acceptances: AcceptanceLimiter(factor: limitFactor))
        let deadlines = PackageDeadlines(
            database: database, transitions: transitions, failures: FailedExpiries(), clock: clock, random: random,
            logger: logger)
        let details = PackageDetailsReader(walletAccounts: walletAccounts)
        let codes = HandoverCodes(secrets: secrets)
        let commands = PackageCommandExecutor(
            database: database, memberships: memberships, deadlines: deadlines, transitions: transitions,
            handoverCodes: codes, details: details, notifier: notifier, clock: clock, random: random)
        self.currency = currency
        self.commands = commands
        self.walletAccounts = walletAccounts
        self.database = database
        self.clock = clock
        self.random = random
        self.memberships = memberships
        packages = PackageService(
            database: database, memberships: memberships, deadlines: deadlines, transitions: transitions,
            details: details, commands: commands, clock: clock, random: random)
        acceptances = AcceptanceService(commands: commands)
        handovers = HandoverService(
            database: database, memberships: memberships, codes: codes, commands: commands, clock: clock,
            random: random)
        cancellations = CancellationService(commands: commands)
        disputes = DisputeService(deadlines: deadlines, details: details, commands: commands)
        wallets = WalletService(
            memberships: memberships, deadlines: deadlines, walletAccounts: walletAccounts, details: details)
        paymentGuides = PaymentGuideService(
            database: database, memberships: memberships, wallets: wallets, random: random)
        payoutRequests = PayoutRequestService(
            database: database, memberships: memberships, walletAccounts: walletAccounts, clock: clock,
            random: random)
        payments = PaymentService(database: database, walletAccounts: walletAccounts, clock: clock)
        trips = TripService(
            database: database, memberships: memberships, deadlines: deadlines, details: details,
            roads: RoadDetours(router: router, clock: clock, logger: logger), clock: clock, random: random)
        placeSearches = PlaceSearchService(
            database: database, memberships: memberships, geocoder: geocoder, clock: clock, logger: logger)
        proofs = ProofService(commands: commands)
        recipients = RecipientService(
            database: database, memberships: memberships, details: details, link: link, notifier: recipientNotifier,
            clock: clock, random: random)
        deliveryViews = DeliveryViewService(
            database: database, commands: commands, deadlines: deadlines, link: link, clock: clock, random: random)
        priceSuggestions = PriceSuggestionService(
            database: database, memberships: memberships, currency: currency, clock: clock)
        offerLinks = OfferLinkService(deadlines: deadlines, details: details, secrets: secrets)
        messages = MessageService(
            database: database, memberships: memberships, deadlines: deadlines, ledger: ledger, clock: clock,
            random: random)
        messageReports = MessageReportService(database: database, clock: clock, random: random)
        blocks = BlockService(database: database, memberships: memberships, clock: clock)
        reviews = ReviewService(database: database, ledger: ledger, clock: clock, random: random)
        contacts = ContactService(deadlines: deadlines)
        housekeeping = PackageHousekeeping(
            database: database, deadlines: deadlines,
            reminders: DeadlineReminderService(database: database, notifier: notifier, clock: clock),
            trips: TripNotifier(database: database, currency: currency, clock: clock), clock: clock)
        escrowAudit = EscrowAudit(database: database, ledger: ledger)
        evidenceAudit = EvidenceAudit(
            database: database, ledger: ledger,
            tables: [HistoryEvidence(), MessageEvidence(), ReviewEvidence(), ReviewReplyEvidence()])
        dataHandler = CarrepsaDataHandler(
            database: database, walletAccounts: walletAccounts, memberships: memberships, wallets: wallets,
            packages: packages, payoutRequests: payoutRequests, clock: clock)
    }

    /// Returns the administration of all wallets.
    package func walletAdministration(
        people: AccountAdministrationService, acts: AdministratorActs
    ) -> WalletAdministrationService {
        WalletAdministrationService(
            database: database, walletAccounts: walletAccounts, people: people, acts: acts, clock: clock,
            random: random)
    }

    /// Returns the administration of payout requests.
    package func payoutAdministration(acts: AdministratorActs) -> PayoutAdministrationService {
        PayoutAdministrationService(database: database, walletAccounts: walletAccounts, acts: acts, clock: clock)
    }

    /// Returns the administration of what people read about payments.
    package func paymentInstructions(acts: AdministratorActs) -> PaymentInstructionsService {
        PaymentInstructionsService(database: database, acts: acts, clock: clock)
    }
}

/// Shows a package's picture to the people who see the package.
struct PackagePictures: PictureVisibility {
    func isVisible(_ picture: ID<Picture>, to viewer: PersonID, in tx: Transaction) throws -> Bool {
        try PackageStore.isPictureShown(picture, to: viewer, in: tx)
            || MessageStore.isPictureShown(picture, to: viewer, in: tx)
            || ProofStore.isShown(picture, to: viewer, in: tx)
    }
}
