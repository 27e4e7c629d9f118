package import Accounts
package import Backups
import Hummingbird
package import Jobs
import Kernel
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

    package init(version: String, url: String, database: String, usesBucket: Bool, sendsMail: Bool) {
        self.version = version
        self.url = url
        self.database = database
        self.usesBucket = usesBucket
        self.sendsMail = sendsMail
    }
}

/// The administrator's pages below `/admin`: one controller for each resource.
package struct AdminModule: WebModule {
    private let accounts: AccountServices
    private let jobs: JobAdministrationService
    private let facts: ServerFacts
    private let inspector: any ServerInspector
    private let backups: BackupStatusReader

    package init(
        accounts: AccountServices, deadJobs: DeadJobService, facts: ServerFacts, inspector: any ServerInspector,
        backups: BackupStatusReader
    ) {
        self.accounts = accounts
        jobs = accounts.jobAdministration(deadJobs)
        self.facts = facts
        self.inspector = inspector
        self.backups = backups
    }

    package var embedded: EmbeddedFiles { EmbeddedFiles(Embedded.base64) }

    /// Adds all routes below `/admin`. The group requires administrator rights; each use case checks them again in its
    /// transaction.
    package func addRoutes(to routes: Routes) {
        let root = routes.administrators.group("admin").add(middleware: AdminErrorMiddleware())
        OverviewController(
            registration: accounts.registrationSettings, invitations: accounts.serverInvitations, jobs: jobs,
            facts: facts
        ).addRoutes(to: root)
        PeopleController(people: accounts.administration).addRoutes(to: root.group("people"))
        RegistrationSettingsController(settings: accounts.registrationSettings).addRoutes(to: root)
        ServerInvitationsController(invitations: accounts.serverInvitations).addRoutes(to: root.group("invitations"))
        JobsController(jobs: jobs).addRoutes(to: root.group("jobs"))
        MailController(mail: accounts.mailAdministration).addRoutes(to: root)
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
    static let jobs = "/admin/jobs"
    static let log = "/admin/log"
    static let mail = "/admin/mail"

    static func person(_ id: PersonID) -> String { "\(people)/\(id)" }
}
