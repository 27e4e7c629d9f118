import Accounts
import Hummingbird
import Kernel
import WebCore

/// `/admin/checks`: examines the server, and says what to do.
struct ChecksController: Sendable {
    let administration: AccountAdministrationService
    let inspector: any ServerInspector

    func addRoutes(to root: RouterGroup<SignedInContext>) { root.get("checks", use: index) }

    @Sendable func index(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try await administration.requireRights(of: context.actor)
        let findings = await inspector.findings()
        return try Responses.of(
            context, template: "admin-checks", fragment: "admin-checks-rows",
            page: { ChecksPage(context, findings) },
            json: { ListJSON(items: findings.map(FindingJSON.init), next: nil) }
        )
    }
}

/// The result of a check, with English texts.
struct FindingJSON: Encodable {
    let check: String
    let level: String
    let message: String
    @Nullable var advice: String?

    init(_ finding: Finding) {
        check = finding.check
        level = finding.level.rawValue
        message = finding.message(.english)
        advice = finding.advice(.english)
    }

    init(_ finding: ProviderFinding) {
        check = finding.check
        level = finding.level.rawValue
        message = finding.message(.english)
        advice = finding.advice(.english)
    }
}

/// The view model of the checks, the problems first.
struct ChecksPage: Sendable {
    let shell: Shell
    /// The result of all checks; `nil` if there are problems, which the list names first.
    let summaryText: String?
    let findings: [AdminRow]

    init(_ context: SignedInContext, _ findings: [Finding]) {
        let order: [Finding.Level] = [.problem, .note, .good]
        self.findings = order.flatMap { level in
            findings.filter { $0.level == level }.map { AdminRow($0, context.t) }
        }
        summaryText = Self.summary(findings, context.t)
        shell = .admin(context, title: context.t("Checks"), isRefreshable: true)
    }

    private static func summary(_ findings: [Finding], _ t: Translator) -> String? {
        guard !findings.contains(where: { $0.level == .problem }) else { return nil }
        let noteCount = findings.count { $0.level == .note }
        guard noteCount > 0 else { return t("Everything that was checked works.") }
        return t(
            "No problems were found. There is {n} recommendation.",
            plural: "No problems were found. There are {n} recommendations.", count: noteCount)
    }
}

extension AdminRow {
    init(_ finding: Finding, _ t: Translator) {
        self.init(icon: finding.level.icon, title: finding.message(t), notes: [finding.advice(t)])
    }

    init(_ finding: ProviderFinding, _ t: Translator) {
        self.init(icon: finding.level.icon, title: finding.message(t), notes: [finding.advice(t)])
    }
}

extension Finding.Level {
    fileprivate var icon: String {
        switch self {
        case .good: "circle-check"
        case .note: "info"
        case .problem: "triangle-alert"
        }
    }
}
