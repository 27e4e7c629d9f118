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
    /// What a new server still needs; empty once all of it is done.
    let steps: [NextStepRow]
    let hasSteps: Bool
    let facts: [AdminFact]

    init(
        _ context: SignedInContext, facts server: ServerFacts, figures: AdministrationOverviewService.Figures,
        steps: [NextStep], update: String?
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
        self.steps = steps.map { NextStepRow($0, t) }
        hasSteps = !steps.isEmpty
        facts = [
            AdminFact(factLabel: t("Version"), factText: server.version),
            AdminFact(factLabel: t("Address"), factText: server.url),
            AdminFact(factLabel: t("Database"), factText: server.database),
            AdminFact(factLabel: t("Photos and archive"), factText: server.usesBucket ? t("Bucket") : t("Folder")),
            AdminFact(factLabel: t("Mail"), factText: server.sendsMail ? t("On") : t("Off")),
            AdminFact(
                factLabel: t("Photo decoding"),
                factText: server.isolatesPictures ? t("Isolated") : t("Not isolated")),
        ]
        shell = .admin(
            context, title: t("Administration"), back: ShellBack(url: "/account", label: t("Settings")),
            isRefreshable: true)
    }
}

/// A step that a new server needs. It is open until the server's state shows that it is done.
enum NextStep: String, CaseIterable {
    case mail
    case backups
    case people
    case payments

    /// Returns the open steps, in the order in which they are shown.
    static func open(
        sendsMail: Bool, hasVerifiedBackup: Bool, hasOtherPeople: Bool, explainsTopUp: Bool
    ) -> [NextStep] {
        let done: [NextStep: Bool] = [
            .mail: sendsMail, .backups: hasVerifiedBackup, .people: hasOtherPeople, .payments: explainsTopUp,
        ]
        return allCases.filter { done[$0] != true }
    }
}

/// A step in the list.
struct NextStepRow: Sendable {
    let stepURL: String
    let stepIcon: String
    let stepTitle: String
    let stepNote: String

    init(_ step: NextStep, _ t: Translator) {
        switch step {
        case .mail:
            (stepURL, stepIcon, stepTitle) = (AdminPath.mail, "mail", t("Set up mail"))
            stepNote = t("Without mail, people can’t reset a forgotten password, and you pass on invitations yourself.")
        case .backups:
            (stepURL, stepIcon, stepTitle) = (AdminPath.backups, "download", t("Set up backups"))
            stepNote = t("No backup has been verified yet.")
        case .people:
            (stepURL, stepIcon, stepTitle) = (AdminPath.invitations, "users", t("Invite people"))
            stepNote = t("You’re the only person on this server.")
        case .payments:
            (stepURL, stepIcon, stepTitle) = (AdminPath.paymentInstructions, "info", t("Write payment instructions"))
            stepNote = t("People don’t read yet how to put money into their wallet.")
        }
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
            context, title: title, menu: .settings(context), tab: "settings", isRefreshable: isRefreshable, back: link,
            action: action)
    }
}
