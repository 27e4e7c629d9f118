import Accounts
import Kernel
import WebCore

/// The tabs of Family's tab bar.
enum FamilyTab: String {
    case family
    case account
    case home
}

extension AppMenu {
    static let familyID = "family"

    /// Returns Family's tab bar. Only adults can switch to other apps.
    static func family(_ t: Translator, for account: Account?) -> AppMenu {
        func tab(_ id: FamilyTab, _ label: String, _ icon: String, _ url: String) -> Tab {
            Tab(id: id.rawValue, label: label, icon: icon, url: url)
        }
        var tabs = [tab(.family, t("Family"), "users", FamilyPath.root)]
        if account?.role != .child { tabs.append(tab(.home, t("Home"), "house", "/")) }
        tabs.append(tab(.account, t("Account"), "circle-user", FamilyPath.account))
        return AppMenu(id: familyID, name: t("Family"), tabs: tabs)
    }

    /// Returns Family's menu for visitors who aren't signed in.
    static func familySignedOut(_ t: Translator) -> AppMenu {
        AppMenu(id: familyID, name: t("Family"), tabs: [])
    }
}

/// The menu of the plus button: an action sheet, and a page for browsers without script.
struct ActionMenu: Sendable {
    static let sheetID = "actions"

    let menuID: String
    let menuTitle: String
    let actions: [MenuItem]

    init(_ title: String, _ actions: [MenuItem]) {
        menuID = Self.sheetID
        menuTitle = title
        self.actions = actions
    }
}

/// An entry of the menu.
struct MenuItem: Sendable {
    let actionLabel: String
    let actionIcon: String
    /// The address of the link.
    let actionURL: String
    /// The sheet of the same page to open instead of the link.
    let actionSheet: String?
    /// How the browser fetches the page in advance (``Prefetch``).
    let actionKeptAhead: String?
    /// Whether the entry is the form that signs out, instead of a link.
    let isSignOut: Bool
    let signOutReturn: String

    init(_ label: String, icon: String, url: String, sheet: String? = nil, keptAhead: Prefetch? = nil) {
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

    /// Returns the entry *Sign out*, which leads to the sign-in page.
    static func signOut(_ t: Translator) -> MenuItem { MenuItem(signOut: t("Sign out")) }
}

/// The menu of the plus button as a page.
struct ActionMenuPage: Sendable {
    let shell: Shell
    let menu: ActionMenu

    init(_ context: SignedInContext, _ menu: ActionMenu, back: ShellBack) {
        shell = Shell(
            context, title: menu.menuTitle, menu: .family(context.t, for: context.account),
            isLargeTitle: false, isNarrow: true, hasTabs: false, back: back
        )
        self.menu = menu
    }
}
