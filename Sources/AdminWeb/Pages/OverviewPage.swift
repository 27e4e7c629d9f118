import Accounts
import AccountsWeb
import Kernel
import WebCore

/// The view model of the administrator's start page.
struct OverviewPage: Sendable {
    let shell: Shell
    let registrationValue: String
    /// The number of open invitations; empty for none.
    let invitationsValue: String
    /// The number of dead jobs; `nil` for none.
    let deadJobsNote: String?
    /// The number of packages in dispute; empty for none.
    let disputesValue: String
    /// Says that an update is available; `nil` if none is known.
    let updateText: String?
    /// Whether to explain what doesn't work without mail.
    let isMailMissing: Bool
    let facts: [AdminFact]

    init(
        _ context: SignedInContext, facts server: ServerFacts, figures: AdministrationOverviewService.Figures,
        update: String?
    ) {
        let t = context.t
        registrationValue = RegistrationChoice(figures.registration.mode, isChosen: true, t).label
        func value(_ count: Int) -> String { count == 0 ? "" : String(count) }
        invitationsValue = value(figures.openInvitationCount)
        disputesValue = value(figures.disputeCount)
        updateText = update.map { t("Version {version} is available.", ["version": $0]) }
        deadJobsNote =
            figures.deadJobCount == 0
            ? nil : t("{n} job failed for good.", plural: "{n} jobs failed for good.", count: figures.deadJobCount)
        isMailMissing = !server.sendsMail
        facts = [
            AdminFact(factLabel: t("Version"), factText: server.version),
            AdminFact(factLabel: t("Address"), factText: server.url),
            AdminFact(factLabel: t("Database"), factText: server.database),
            AdminFact(factLabel: t("Photos and archive"), factText: server.usesBucket ? t("Bucket") : t("Folder")),
            AdminFact(factLabel: t("Mail"), factText: server.sendsMail ? t("On") : t("Off")),
        ]
        shell = .admin(
            context, title: t("Administration"), back: ShellBack(url: "/account", label: t("Settings")),
            isRefreshable: true)
    }
}

/// A labelled fact.
struct AdminFact: Sendable {
    let factLabel: String
    let factText: String
}

extension Shell {
    /// The layout of the administrator's pages.
    static func admin(
        _ context: SignedInContext, title: String, back: ShellBack? = nil, isRefreshable: Bool = false,
        action: ShellAction? = nil
    ) -> Shell {
        let link = back ?? ShellBack(url: AdminPath.root, label: context.t("Administration"))
        return Shell(
            context, title: title, menu: .bare, isNarrow: false, isRefreshable: isRefreshable, hasTabs: false,
            back: link, action: action)
    }
}
