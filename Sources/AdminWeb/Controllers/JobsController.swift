import Accounts
import Hummingbird
import Jobs
import Kernel
import WebCore

/// `/admin/jobs`: background work that waits, and jobs that failed their last attempt.
struct JobsController: Sendable {
    let jobs: JobAdministrationService

    func addRoutes(to routes: RouterGroup<SignedInContext>) {
        routes
            .get(use: index)
            .post("{id}/retries", use: createRetry)
    }

    @Sendable func index(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let dead = try await jobs.list(for: context.actor)
        let lanes = try await jobs.lanes(for: context.actor)
        return try Responses.of(
            context, template: "admin-jobs", fragment: "admin-jobs-rows",
            page: { JobsPage(context, dead: dead, lanes: lanes) },
            json: { ListJSON(items: dead.map(DeadJobJSON.init), next: nil) }
        )
    }

    @Sendable func createRetry(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: NewJob.self)
        let fields = try await Fields.read(request, context, emptyAllowed: true)
        try await jobs.retry(id, by: context.change(fields))
        return Responses.removed(
            context, seeOther: AdminPath.jobs, toast: ShellToast(context.t("The job will be tried again")))
    }
}

/// The view model of the background jobs.
struct JobsPage: Sendable {
    let shell: Shell
    let isEmpty: Bool
    let jobs: [DeadJobRow]
    let lanes: [AdminFact]

    init(_ context: SignedInContext, dead: [DeadJob], lanes: [(name: String, status: JobLaneStatus)]) {
        let times = TimeFormatter(context.t, now: context.web.clock.now)
        jobs = dead.map { DeadJobRow($0, context.t, times) }
        isEmpty = dead.isEmpty
        self.lanes = lanes.map { lane in
            let count = lane.status.waitingCount
            return AdminFact(
                factLabel: JobLaneTitle.text(lane.name, context.t),
                factText: count == 0
                    ? context.t("None waiting")
                    : context.t("{n} waiting", plural: "{n} waiting", count: count))
        }
        shell = .admin(context, title: context.t("Background jobs"), isRefreshable: true)
    }
}

/// The titles of the queues.
enum JobLaneTitle {
    /// Returns the title of a lane; its name if it has none.
    static func text(_ lane: String, _ t: Translator) -> String {
        switch lane {
        case "mail-account": t("Mail with requested links")
        case "mail-security": t("Security notifications by mail")
        case "push": t("Notifications")
        case "tracker-commands": t("Commands to trackers")
        case "hologram-readings": t("Messages from Hologram")
        case "imports": t("Imports of accounts")
        case "ledger-verification": t("Ledger verifications")
        case "maintenance": t("Maintenance")
        default: lane
        }
    }
}

/// A job that failed its last attempt.
struct DeadJobRow: Sendable {
    let titleText: String
    let errorText: String
    let diedMoment: FormattedTime
    let isRetryable: Bool
    let retryURL: String
    let retryLabel: String

    init(_ job: DeadJob, _ t: Translator, _ times: TimeFormatter) {
        titleText = [JobLaneTitle.text(job.lane, t), job.kind].isolated(separator: " · ")
        errorText = job.lastError ?? t("Expired before it could be done")
        diedMoment = FormattedTime(job.diedAt, times)
        isRetryable = job.isRetryable
        retryURL = "\(AdminPath.jobs)/\(job.id)/retries"
        retryLabel = t("Try “{name}” again", ["name": titleText])
    }
}
