import Accounts
import Family
import Kernel
import Pictures
import WebCore

/// The account page of a child.
struct ChildAccountPage: Sendable {
    let shell: Shell
    let menu: ActionMenu
    let myName: String
    let myTheme: String
    let avatarURL: String?
    let initial: String
    let birthText: String
    let birthLabel: String
    let themeText: String
    let editURL: String
    let devicesURL: String
    let parents: [ChildParentView]
    let hasParents: Bool

    init(_ context: SignedInContext, _ account: ChildAccountDetails, formatter: FamilyFormatter) {
        let child = account.child
        let menu = ActionMenu(context.t("Add or sign out"), [.signOut(context.t)])
        self.menu = menu
        shell = Shell(
            context, title: context.t("Account"), menu: .family(context.t, for: context.account),
            tab: FamilyTab.account.rawValue, isRefreshable: true,
            action: ShellAction(
                label: context.t("More"), icon: "plus", url: FamilyPath.menu + "?for=account",
                sheetID: ActionMenu.sheetID)
        )
        myName = child.name
        myTheme = child.theme
        avatarURL = child.avatarPictureID.map { FamilyPath.picture($0, size: .medium) }
        initial = child.name.first.map(String.init) ?? ""
        birthText = formatter.date(child.dateOfBirth)
        birthLabel = context.t("Date of birth")
        themeText = ThemeName.text(child.theme, context.t)
        editURL = FamilyPath.editAccount
        devicesURL = FamilyPath.devices(of: child.id)
        parents = account.parents.map { member in
            ChildParentView(
                parentName: member.name,
                parentAvatarURL: member.avatarPictureID.map { FamilyPath.picture($0, size: .small) })
        }
        hasParents = !parents.isEmpty
    }
}

/// The profile of a parent, for children.
struct ChildParentView: Sendable {
    let parentName: String
    let parentAvatarURL: String?
}
