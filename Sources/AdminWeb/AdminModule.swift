package import Accounts
package import Backups
package import Carrepsa
import Hummingbird
package import Jobs
import Kernel
package import Notifications
package import Tracking
package import WebCore

/// What the administrator's pages say about the server.
package struct ServerFacts: Sendable {
    package let version: String
    package let url: String
    /// `SQLite` or `PostgreSQL`.
    package let database: String
    /// Whether photos and archived positions are in a bucket; otherwise in a folder.
    package let usesBucket: Bool
    package let sendsMail: Bool
    /// Whether the process that decodes photos can only compute.
    package let isolatesPictures: Bool
    /// Whether a version is newer than this one.
    package let isNewer: @Sendable (String) -> Bool
    /// The names of the settings that each sign-in provider needs.
    package let providerSettings: [ProviderName: [String]]

    package init(
        version: String, url: String, database: String, usesBucket: Bool, sendsMail: Bool,
        isolatesPictures: Bool, isNewer: @escaping @Sendable (String) -> Bool,
        providerSettings: [ProviderName: [String]]
    ) {
        self.version = version
        self.url = url
        self.database = database
        self.usesBucket = usesBucket
        self.sendsMail = sendsMail
        self.isolatesPictures = isolatesPictures
        self.isNewer = isNewer
        self.providerSettings = providerSettings
    }
}

/// The administrator's pages below `/admin`: one controller for each resource.
package struct AdminModule: WebModule {
    private let accounts: AccountServices
    private let push: PushAdministrationService
    private let wallets: WalletAdministrationService
    private let currency: Currency
    private let payouts: PayoutAdministrationService
    private let instructions: PaymentInstructionsService
    private let overview: AdministrationOverviewService
    private let jobs: JobAdministrationService
    private let facts: ServerFacts
    private let inspector: any ServerInspector
    private let backups: BackupStatusReader
    private let ledger: any LedgerAdministration
    private let trackers: TrackerAdministrationService
    private let storage: StorageAdministrationService
    private let serverStorage: any ServerStorageReader

    package init(
        accounts: AccountServices, notifications: NotificationService, carrepsa: CarrepsaServices,
        deadJobs: DeadJobService, facts: ServerFacts, inspector: any ServerInspector,
        backups: BackupStatusReader, ledger: any LedgerAdministration, tracking: TrackingServices,
        storage: StorageAdministrationService, serverStorage: any ServerStorageReader
    ) {
        self.accounts = accounts
        push = notifications.administration(accounts.administratorActs)
        wallets = carrepsa.walletAdministration(people: accounts.administration, acts: accounts.administratorActs)
        currency = carrepsa.currency
        payouts = carrepsa.payoutAdministration(acts: accounts.administratorActs)
        instructions = carrepsa.paymentInstructions(acts: accounts.administratorActs)
        overview = accounts.overview(deadJobs, disputeCount: { try carrepsa.disputes.openCount(for: $0, in: $1) })
        jobs = accounts.jobAdministration(deadJobs)
        self.facts = facts
        self.inspector = inspector
        self.backups = backups
        self.ledger = ledger
        trackers = tracking.administration(accounts.administratorActs)
        self.storage = storage
        self.serverStorage = serverStorage
    }

    package var embedded: EmbeddedFiles { EmbeddedFiles(Embedded.base64) }

    /// Adds all routes below `/admin`. The group requires administrator rights; each use case checks them again in its
    /// transaction.
    package func addRoutes(to routes: Routes) {
        let root = routes.administrators.group("admin").add(middleware: AdminErrorMiddleware())
        OverviewController(overview: overview, facts: facts, backups: backups, instructions: instructions)
            .addRoutes(to: root)
        PeopleController(people: accounts.administration).addRoutes(to: root.group("people"))
        RegistrationSettingsController(settings: accounts.registrationSettings).addRoutes(to: root)
        ServerInvitationsController(invitations: accounts.serverInvitations).addRoutes(to: root.group("invitations"))
        JobsController(jobs: jobs).addRoutes(to: root.group("jobs"))
        ProvidersController(providers: accounts.providerAdministration, settings: facts.providerSettings)
            .addRoutes(to: root.group("providers"))
        MailController(mail: accounts.mailAdministration).addRoutes(to: root)
        LedgerAdministrationController(ledger: ledger).addRoutes(to: root.group("ledger"))
        TrackersController(trackers: trackers).addRoutes(to: root.group("trackers"))
        WalletsController(wallets: wallets, currency: currency).addRoutes(to: root.group("wallets"))
        PayoutRequestsController(payouts: payouts, wallets: wallets, currency: currency)
            .addRoutes(to: root.group("payout-requests"))
        PaymentInstructionsController(instructions: instructions).addRoutes(to: root)
        StorageController(storage: storage, server: serverStorage, sendsMail: facts.sendsMail).addRoutes(
            to: root.group("storage"))
        PushController(push: push).addRoutes(to: root.group("push"))
        BackupsController(administration: accounts.administration, status: backups).addRoutes(to: root)
        ChecksController(administration: accounts.administration, inspector: inspector).addRoutes(to: root)
        AuditLogController(log: accounts.auditLog).addRoutes(to: root)
    }
}

/// Translates the errors of the use cases into the reader's language.
struct AdminErrorMiddleware: RouterMiddleware {
    func handle(
        _ request: Request, context: SignedInContext,
        next: @concurrent (Request, SignedInContext) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let error as AppError {
            throw error.translated(to: context.language)
        }
    }
}

/// The paths of the administrator's pages.
enum AdminPath {
    static let root = "/admin"
    static let people = "/admin/people"
    static let registration = "/admin/registration"
    static let invitations = "/admin/invitations"
    static let backups = "/admin/backups"
    static let jobs = "/admin/jobs"
    static let log = "/admin/log"
    static let mail = "/admin/mail"
    static let ledger = "/admin/ledger"
    static let trackers = "/admin/trackers"
    static let wallets = "/admin/wallets"
    static let payoutRequests = "/admin/payout-requests"
    static let paymentInstructions = "/admin/payment-instructions"
    static let push = "/admin/push"
    static let storage = "/admin/storage"
    static let providers = "/admin/providers"

    /// Returns the address at which an open list reloads itself: with its search, and from the same entry on.
    static func reload(_ list: String, search: String = "", after: String?) -> String {
        let query = [("search", search), ("after", after ?? "")].filter { !$0.1.isEmpty }
        guard !query.isEmpty else { return list }
        return "\(list)?" + query.map { "\($0)=\(PercentEncoding.encoded($1))" }.joined(separator: "&")
    }

    /// Returns the page for the proof that acts on others need, which returns to `path`.
    static func proof(for path: String) -> String {
        SensitiveAct.administer.proofURL(returningTo: path)
    }

    static func tracker(_ id: ID<AdministeredTracker>) -> String { "\(trackers)/\(id)" }
    static func quota(_ person: PersonID) -> String { "\(storage)/\(person)" }
    static func wallet(_ person: PersonID) -> String { "\(wallets)/\(person)" }
    static func person(_ id: PersonID) -> String { "\(people)/\(id)" }
}
