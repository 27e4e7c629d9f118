import Accounts
import Backups
import Carrepsa
import Hummingbird
import Kernel
import WebCore

/// `/admin`: the state of the server, and the links to everything that administrators can do.
struct OverviewController: Sendable {
    let overview: AdministrationOverviewService
    let facts: ServerFacts
    let backups: BackupStatusReader
    let instructions: PaymentInstructionsService

    func addRoutes(to root: RouterGroup<SignedInContext>) { root.get(use: show) }

    @Sendable func show(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let figures = try await overview.figures(for: context.actor)
        let update = figures.latestVersion.flatMap { facts.isNewer($0) ? $0 : nil }
        let payments = try await instructions.instructions(for: context.actor).instructions
        let steps = NextStep.open(
            sendsMail: facts.sendsMail, hasVerifiedBackup: try await backups.status().lastProved != nil,
            hasOtherPeople: figures.hasOtherAccounts || figures.openInvitationCount > 0,
            explainsTopUp: payments.topUpText != nil || payments.bankAccount != nil)
        return try Responses.of(
            context, template: "admin-overview", fragment: "admin-overview-rows",
            page: { OverviewPage(context, facts: facts, figures: figures, steps: steps, update: update) },
            json: {
                OverviewJSON(
                    version: facts.version, update: update, database: facts.database, mail: facts.sendsMail,
                    isolatesPictures: facts.isolatesPictures, registration: figures.registration.mode.rawValue,
                    openInvitations: figures.openInvitationCount,
                    deadJobs: figures.deadJobCount, openDisputes: figures.disputeCount,
                    nextSteps: steps.map(\.rawValue))
            }
        )
    }
}

/// The state of the server.
struct OverviewJSON: Encodable {
    let version: String
    /// A newer version.
    @Nullable var update: String?
    let database: String
    let mail: Bool
    /// Whether the process that decodes photos can only compute.
    let isolatesPictures: Bool
    let registration: String
    let openInvitations: Int
    let deadJobs: Int
    let openDisputes: Int
    /// What a new server still needs.
    let nextSteps: [String]
}
