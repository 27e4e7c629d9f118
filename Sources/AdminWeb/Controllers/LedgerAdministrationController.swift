import Accounts
import Hummingbird
import Kernel
import Ledger
import WebCore

/// `/admin/ledger`: the ledger's head, its verifications, and the request for one.
struct LedgerAdministrationController: Sendable {
    let ledger: any LedgerAdministration

    func addRoutes(to routes: RouterGroup<SignedInContext>) {
        routes
            .get(use: show)
            .post("verifications", use: createVerification)
    }

    @Sendable func show(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let details = try await ledger.details(for: context.actor)
        return try Responses.of(
            context, template: "admin-ledger", fragment: "admin-ledger-rows",
            page: { LedgerAdministrationPage(context, details) },
            json: { LedgerDetailsJSON(details) }
        )
    }

    @Sendable func createVerification(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let fields = try await Fields.read(request, context, emptyAllowed: true)
        try await ledger.requestVerification(by: context.change(fields))
        return Responses.removed(
            context, seeOther: AdminPath.ledger, toast: ShellToast(context.t("The ledger is being verified")))
    }
}

/// The ledger's figures and verifications.
struct LedgerDetailsJSON: Encodable {
    struct Run: Encodable {
        let id: ID<LedgerVerificationRun>
        let startedAt: Instant
        let finishedAt: Instant
        let result: String
        let transfers: Int
        let postings: Int
        let batches: Int
        let findings: Int
        @Nullable var reason: String?

        init(_ run: LedgerVerificationRun) {
            id = run.id
            startedAt = run.startedAt
            finishedAt = run.finishedAt
            result = run.result.rawValue
            transfers = run.transferCount
            postings = run.postingCount
            batches = run.batchCount
            findings = run.findingCount
            reason = run.reason
        }
    }

    let unsealed: Int64
    let lastBatch: Int64
    @Nullable var head: String?
    @Nullable var sealedAt: Instant?
    let verifying: Bool
    let verifications: [Run]

    init(_ details: LedgerDetails) {
        unsealed = details.status.unsealed
        lastBatch = details.status.lastBatch
        head = details.status.head
        sealedAt = details.status.sealedAt
        verifying = details.isVerifying
        verifications = details.runs.map(Run.init)
    }
}
