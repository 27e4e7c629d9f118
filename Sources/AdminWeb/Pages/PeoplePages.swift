import Accounts
import Kernel
import WebCore

/// The view model of the list of accounts.
struct PeoplePage: Sendable {
    let shell: Shell
    let searchText: String
    let reloadURL: String
    let people: [PersonRow]
    let isEmpty: Bool
    let moreURL: String?

    init(_ context: SignedInContext, _ page: ListPage<Account>, search: String, after: String?) {
        let t = context.t
        searchText = search
        people = page.items.map { PersonRow($0, t) }
        isEmpty = page.items.isEmpty
        reloadURL = AdminPath.reload(AdminPath.people, search: search, after: after)
        moreURL = page.next.map { "\(AdminPath.people)?after=\($0)" }
        shell = .admin(
            context, title: t("People", context: "administration"), isRefreshable: true,
            action: ShellAction(label: t("Invite"), icon: "plus", url: AdminPath.invitations))
    }
}

/// An account in the list.
struct PersonRow: Sendable {
    let personURL: String
    let name: String
    let email: String
    let badges: [PersonBadge]

    init(_ account: Account, _ t: Translator) {
        personURL = AdminPath.person(account.id)
        name = account.name
        email = account.email ?? (account.role == .child ? t("Child") : t("No email"))
        badges = PersonBadge.of(account, t)
    }
}

/// A property of an account that administrators must notice.
struct PersonBadge: Sendable {
    let badgeText: String
    /// The class of its color.
    let tone: String

    static func of(_ account: Account, _ t: Translator) -> [PersonBadge] {
        var badges: [PersonBadge] = []
        if account.isOperator { badges.append(PersonBadge(badgeText: t("Administrator"), tone: "badge-good")) }
        if account.disabledAt != nil { badges.append(PersonBadge(badgeText: t("Disabled"), tone: "badge-warning")) }
        return badges
    }
}

/// The view model of one account.
struct PersonPage: Sendable {
    let shell: Shell
    /// The error message above the actions.
    let problem: String?
    let hasBadges: Bool
    let badges: [PersonBadge]
    let facts: [AdminFact]
    let createdMoment: FormattedTime
    let disabledMoment: FormattedTime?
    /// The page for the proof that sensitive acts need; `nil` once it is given.
    let proofURL: String?
    let isProven: Bool
    /// Whether the account is the reader's own.
    let isSelf: Bool
    let isDisabled: Bool
    let isAdministrator: Bool
    let isAdult: Bool
    let hasEmail: Bool
    let actionURL: String
    let storageURL: String
    let disableQuestion: String
    let grantQuestion: String
    let revokeQuestion: String
    let endSessionsQuestion: String
    let deleteQuestion: String
    /// A new link for a password, shown once; `nil` for none.
    let resetLink: String?
    let resetLinkNote: String

    init(
        _ context: SignedInContext, _ details: AccountAdministrationService.Details, resetLink: String?,
        error: AppError?
    ) {
        let t = context.t
        let account = details.account
        let name: KeyValuePairs = ["name": account.name]
        let times = TimeFormatter(t, now: context.web.clock.now)
        self.resetLink = resetLink
        resetLinkNote = t(
            "Pass this link on to {name}. It works once and expires in an hour.",
            plural: "Pass this link on to {name}. It works once and expires in {n} hours.",
            count: Limits.passwordResetSeconds.wholeHours, name)
        // A proof that has expired is asked for again below.
        problem = error.flatMap { $0.fields.isEmpty ? $0.message : nil }
        badges = PersonBadge.of(account, t)
        hasBadges = !badges.isEmpty
        facts = [
            AdminFact(factLabel: t("Email"), factText: account.email ?? t("None")),
            AdminFact(factLabel: t("Devices"), factText: String(details.sessionCount)),
            AdminFact(factLabel: t("ID"), factText: account.id.description),
        ]
        createdMoment = FormattedTime(account.createdAt, times)
        disabledMoment = account.disabledAt.map { FormattedTime($0, times) }
        actionURL = AdminPath.person(account.id)
        storageURL = AdminPath.quota(account.id)
        isAdult = account.role == .adult
        isProven = details.isProven && isAdult
        proofURL = details.isProven || !isAdult ? nil : AdminPath.proof(for: actionURL)
        isSelf = details.isSelf
        isDisabled = account.disabledAt != nil
        isAdministrator = account.isOperator
        hasEmail = account.email != nil
        disableQuestion = t("Disable {name}’s account?", name)
        grantQuestion = t("Make {name} an administrator?", name)
        revokeQuestion = t("Revoke {name}’s administrator rights?", name)
        endSessionsQuestion = t("Sign {name} out on all devices?", name)
        deleteQuestion = t("Delete {name}’s account?", name)
        shell = .admin(
            context, title: account.name,
            back: ShellBack(url: AdminPath.people, label: t("People", context: "administration")))
    }
}
