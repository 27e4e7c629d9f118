import Accounts
import Family
import Kernel
import Pictures
import WebCore

/// The account page of a child.
struct ChildAccountPage: Sendable {
    let shell: Shell
    let t: FamilyChildPageStrings
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
        let words = context.familyStrings
        t = words.child.my
        let menu = ActionMenu(words.account.menu, [.signOut(words)])
        self.menu = menu
        shell = Shell(
            context, title: words.account.title, menu: .family(words, for: context.account),
            tab: FamilyTab.account.rawValue, isRefreshable: true,
            action: ShellAction(
                label: words.child.my.menu, icon: "plus", url: FamilyPath.menu + "?for=account",
                sheetID: ActionMenu.sheetID)
        )
        myName = child.name
        myTheme = child.theme
        avatarURL = child.avatarPictureID.map { FamilyPath.picture($0, size: .medium) }
        initial = child.name.first.map(String.init) ?? ""
        birthText = formatter.date(child.dateOfBirth)
        birthLabel = words.person.dateOfBirth
        themeText = words.child.looks.themes[child.theme] ?? child.theme
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
