import Accounts
import Hummingbird
import Jobs
import Kernel
import WebCore

/// `/admin`: the state of the server, and the links to everything that administrators can do.
struct OverviewController: Sendable {
    let registration: RegistrationSettingsService
    let invitations: ServerInvitationService
    let jobs: JobAdministrationService
    let facts: ServerFacts

    func addRoutes(to root: RouterGroup<SignedInContext>) { root.get(use: show) }

    @Sendable func show(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let registration = try await registration.details(for: context.actor)
        let invitationCount = try await invitations.list(for: context.actor).count
        let deadJobCount = try await jobs.lanes(for: context.actor).map(\.status.deadCount).reduce(0, +)
        return try Responses.of(
            context, template: "admin-overview", fragment: "admin-overview-rows",
            page: {
                OverviewPage(
                    context, facts: facts, registration: registration, invitationCount: invitationCount,
                    deadJobCount: deadJobCount)
            },
            json: {
                OverviewJSON(
                    version: facts.version, database: facts.database, mail: facts.sendsMail,
                    registration: registration.mode.rawValue, openInvitations: invitationCount,
                    deadJobs: deadJobCount)
            }
        )
    }
}

/// The state of the server.
struct OverviewJSON: Encodable {
    let version: String
    let database: String
    let mail: Bool
    let registration: String
    let openInvitations: Int
    let deadJobs: Int
}
