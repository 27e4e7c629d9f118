import Accounts
import Kernel
import WebCore

/// The places of Family's tab bar.
enum FamilyTab: String {
    case family
    case account
    case home
}

extension AppMenu {
    /// Names Family.
    static let familyID = "family"

    /// Family's tab bar; only grown-ups have other apps to go to.
    static func family(_ t: FamilyStrings, for account: Account?) -> AppMenu {
        func tab(_ id: FamilyTab, _ label: String, _ icon: String, _ url: String) -> Tab {
            Tab(id: id.rawValue, label: label, icon: icon, url: url)
        }
        var tabs = [tab(.family, t.common.family, "users", FamilyPath.root)]
        if account?.role != .child { tabs.append(tab(.home, t.common.home, "house", "/")) }
        tabs.append(tab(.account, t.common.account, "circle-user", FamilyPath.account))
        return AppMenu(id: familyID, name: t.common.family, tabs: tabs)
    }

    /// Family before anybody is signed in.
    static func familyDoor(_ t: FamilyStrings) -> AppMenu { AppMenu(id: familyID, name: t.common.family, tabs: []) }
}

/// What the plus at the top right offers: an action sheet, and a page of its own for browsers without script.
struct ActionMenu: Sendable {
    /// The id of the sheet.
    static let sheetID = "actions"

    let menuID: String
    let menuTitle: String
    let actions: [ActionItem]

    init(_ title: String, _ actions: [ActionItem]) {
        menuID = Self.sheetID
        menuTitle = title
        self.actions = actions
    }
}

/// One choice of the plus.
struct ActionItem: Sendable {
    let actionLabel: String
    let actionIcon: String
    /// Where a link leads.
    let actionURL: String
    /// A sheet of the same page that opens instead.
    let actionSheet: String?
    /// How its page is kept before it was opened (``KeptAhead``).
    let actionKeptAhead: String?
    /// A form of its own instead of a link: signing out.
    let isSignOut: Bool
    let signOutReturn: String

    /// A link.
    init(_ label: String, icon: String, url: String, sheet: String? = nil, keptAhead: KeptAhead? = nil) {
        actionLabel = label
        actionIcon = icon
        actionURL = url
        actionSheet = sheet
        actionKeptAhead = keptAhead?.rawValue
        isSignOut = false
        signOutReturn = ""
    }

    private init(signOut label: String) {
        actionLabel = label
        actionIcon = "log-out"
        actionURL = "/session?_method=delete"
        actionSheet = nil
        actionKeptAhead = nil
        isSignOut = true
        signOutReturn = FamilyPath.signIn
    }

    /// *Sign out*: ends in the login page.
    static func signOut(_ t: FamilyStrings) -> ActionItem { ActionItem(signOut: t.account.signOut) }
}

/// The plus as a page.
struct ActionMenuPage: Sendable {
    let shell: Shell
    let menu: ActionMenu

    init(_ context: SignedInContext, _ menu: ActionMenu, back: ShellBack) {
        shell = Shell(
            context, title: menu.menuTitle, menu: .family(context.familyWords, for: context.account),
            isLargeTitle: false, isNarrow: true, hasTabs: false, back: back
        )
        self.menu = menu
    }
}
