import Accounts
import Backups
import Hummingbird
import Kernel
import WebCore

/// `/admin/backups`: the backups and whether they were proved.
struct BackupsController: Sendable {
    let administration: AccountAdministrationService
    let status: BackupStatusReader

    func addRoutes(to root: RouterGroup<SignedInContext>) { root.get("backups", use: index) }

    @Sendable func index(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try await administration.requireRights(of: context.actor)
        let runs = try await status.runs()
        return try Responses.of(
            context, template: "admin-backups", fragment: "admin-backups-rows",
            page: { BackupsPage(context, runs) },
            json: { ListJSON(items: runs.map(BackupRunJSON.init), next: nil) }
        )
    }
}

/// One attempt to write a backup.
struct BackupRunJSON: Encodable {
    let id: ID<BackupRun>
    let startedAt: Instant
    @Nullable var finishedAt: Instant?
    let destination: String
    @Nullable var name: String?
    let result: String
    @Nullable var reason: String?
    let bytes: Int64
    let rows: Int
    let objectsCopied: Int
    let objectsReused: Int

    init(_ run: BackupRun) {
        id = run.id
        startedAt = run.startedAt
        finishedAt = run.finishedAt
        destination = run.destination
        name = run.name
        result = run.result.rawValue
        reason = run.reason
        bytes = run.byteCount
        rows = run.rowCount
        objectsCopied = run.objectsCopied
        objectsReused = run.objectsReused
    }
}

/// The view model of the backups.
struct BackupsPage: Sendable {
    let shell: Shell
    let isEmpty: Bool
    let runs: [AdminRow]

    init(_ context: SignedInContext, _ runs: [BackupRun]) {
        let times = TimeFormatter(context.t, now: context.web.clock.now)
        self.runs = runs.map { AdminRow($0, context.t, times) }
        isEmpty = runs.isEmpty
        shell = .admin(context, title: context.t("Backups"), isRefreshable: true)
    }
}

extension AdminRow {
    /// A backup in the list.
    fileprivate init(_ run: BackupRun, _ t: Translator, _ times: TimeFormatter) {
        let (icon, result) =
            switch run.result {
            case .running: ("clock", t("In progress"))
            case .proved: ("shield-check", t("Read back and verified"))
            case .unproved: ("info", t("Written, but not read back"))
            case .failed: ("triangle-alert", t("Failed"))
            }
        self.init(
            icon: icon, title: result, verbatim: [run.name ?? run.destination, run.reason],
            moment: FormattedTime(run.startedAt, times))
    }
}
