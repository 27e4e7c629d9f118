import Accounts
import Hummingbird
import Kernel
import WebCore

/// `/admin/log`: what administrators did.
struct AuditLogController: Sendable {
    let log: AuditLogReader

    func addRoutes(to root: RouterGroup<SignedInContext>) { root.get("log", use: index) }

    @Sendable func index(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let paging = try context.paging()
        let page = try await log.list(for: context.actor, after: paging.after, limit: paging.limit)
        return try Responses.of(
            context, template: "admin-log",
            page: { AuditLogPage(context, page) },
            json: { ListJSON(items: page.items.map(AuditEntryJSON.init), next: page.next) }
        )
    }
}

/// The view model of the log.
struct AuditLogPage: Sendable {
    let shell: Shell
    let isEmpty: Bool
    let entries: [AuditRow]
    let moreURL: String?

    init(_ context: SignedInContext, _ page: ListPage<AuditEntry>) {
        let times = TimeFormatter(context.t, now: context.web.clock.now)
        entries = page.items.map { AuditRow($0, context.t, times) }
        isEmpty = page.items.isEmpty
        moreURL = page.next.map { "\(AdminPath.log)?after=\($0)" }
        shell = .admin(context, title: context.t("Log"), isRefreshable: true)
    }
}

/// One act.
struct AuditRow: Sendable {
    let actionText: String
    let byText: String
    let moment: FormattedTime

    init(_ entry: AuditEntry, _ t: Translator, _ times: TimeFormatter) {
        let action = entry.action.map { Self.text($0, t) } ?? entry.actionName
        let subject = entry.subjectName ?? (entry.action?.isAboutPerson == true ? t("a deleted account") : nil)
        actionText = [action, subject, entry.detail].compactMap(\.self).isolated(separator: " · ")
        byText = entry.actor == nil ? t("Command line") : entry.actorName ?? t("Former member")
        moment = FormattedTime(entry.at, times)
    }

    private static func text(_ action: AuditAction, _ t: Translator) -> String {
        switch action {
        case .setUp: t("Server set up")
        case .changeRegistration: t("Registration changed")
        case .invite: t("Invitation created")
        case .revokeInvitation: t("Invitation revoked")
        case .createAccount: t("Account created")
        case .disableAccount: t("Account disabled")
        case .enableAccount: t("Account enabled")
        case .endSessions: t("All devices signed out")
        case .createResetLink: t("Link for a new password created")
        case .grantAdministrator: t("Administrator rights granted")
        case .revokeAdministrator: t("Administrator rights revoked")
        case .deleteAccount: t("Account deleted")
        case .retryJob: t("Job tried again")
        case .sendTestMail: t("Test mail sent")
        case .testProvider: t("Sign-in provider tested")
        case .sendTestPush: t("Test notification sent")
        case .topUpWallet: t("Wallet topped up")
        case .payOutWallet: t("Paid out of a wallet")
        case .declinePayout: t("Payout declined")
        case .changePaymentInstructions: t("Payment instructions changed")
        case .verifyLedger: t("Verification of the ledger started")
        case .changeQuota: t("Storage limits changed")
        }
    }
}

extension AuditAction {
    /// Whether the subject of the action is an account.
    fileprivate var isAboutPerson: Bool {
        switch self {
        case .createAccount, .disableAccount, .enableAccount, .endSessions, .createResetLink, .grantAdministrator,
            .revokeAdministrator, .deleteAccount, .topUpWallet, .payOutWallet,
            .declinePayout, .changeQuota:
            true
        case .setUp, .changeRegistration, .invite, .revokeInvitation, .retryJob, .sendTestMail,
            .testProvider, .sendTestPush, .verifyLedger, .changePaymentInstructions:
            false
        }
    }
}
