import Family
import Kernel
import Pictures
import WebCore

/// The page about Family for visitors who aren't signed in.
struct FamilyWelcomePage: Sendable {
    let shell: Shell
    let t: FamilyStrings
    let signInURL: String
    /// `nil` if sign-up is closed.
    let registerURL: String?
    let scanURL: String

    init(_ context: AppContext, t: FamilyStrings) {
        shell = Shell(
            context, title: t.common.family, menu: .familySignedOut(t), isNarrow: true, hasTabs: false,
            back: ShellBack(url: "/", label: "Homeward")
        )
        self.t = t
        signInURL = FamilyPath.signIn
        registerURL = context.site.offersRegistration() ? FamilyPath.register : nil
        scanURL = FamilyPath.scan
    }
}

/// The dashboard of a parent, with a card for each child.
struct DashboardPage: Sendable {
    let shell: Shell
    let t: FamilyStrings
    let menu: ActionMenu
    /// The parent's own profile.
    let me: MemberView
    let helloText: String
    let accountURL: String
    let cards: [ChildCard]
    let isEmpty: Bool
    let addChildURL: String
    let reloadURL: String
    /// The address of the next page of the list; `nil` on the last one.
    let moreURL: String?

    init(
        _ context: SignedInContext, _ dashboard: FamilyDashboard, after: String?, t: FamilyStrings,
        formatter: FamilyFormatter
    ) {
        shell = Shell(
            context, title: t.common.family, menu: .family(t, for: context.account), tab: FamilyTab.family.rawValue,
            isRefreshable: true, action: .plus(t.dashboard.add, url: FamilyPath.menu), emptyDetail: t.dashboard.choose
        )
        self.t = t
        menu = .dashboard(t)
        let assets = shell.assets
        let key = shell.idempotencyKey
        self.me = MemberView(dashboard.me, t: t, formatter: formatter)
        helloText = FamilyStrings.fill(t.dashboard.hello, ["name": dashboard.me.name])
        accountURL = FamilyPath.account
        let page = dashboard.children
        cards = page.items.map {
            ChildCard(
                $0, requests: dashboard.requests[$0.id] ?? [], assets: assets, key: key, t: t, formatter: formatter)
        }
        isEmpty = page.items.isEmpty
        addChildURL = FamilyPath.newChild
        reloadURL = FamilyPath.root + (after.map { "?after=\(PathSegment.encoded($0))" } ?? "")
        moreURL = page.next.map { FamilyPath.root + "?after=\(PathSegment.encoded($0))" }
    }
}

extension ShellAction {
    /// Returns the plus button of the navigation bar.
    static func plus(_ label: String, url: String) -> ShellAction {
        ShellAction(label: label, icon: "plus", url: url, sheetID: ActionMenu.sheetID)
    }
}

extension ActionMenu {
    /// Returns the menu of the dashboard.
    static func dashboard(_ t: FamilyStrings) -> ActionMenu {
        ActionMenu(
            t.dashboard.add,
            [
                MenuItem(t.dashboard.addChild, icon: "user", url: FamilyPath.newChild, keptAhead: .daily),
                MenuItem(t.dashboard.addChore, icon: "list", url: FamilyPath.newChore, keptAhead: .daily),
            ]
        )
    }

    /// Returns the menu of a child's profile.
    static func profile(_ child: PersonID, _ t: FamilyStrings) -> ActionMenu {
        ActionMenu(
            t.profile.add,
            [
                MenuItem(
                    t.profile.addContract, icon: "trophy", url: FamilyPath.newContract(of: child), keptAhead: .always),
                MenuItem(t.profile.qrCode, icon: "qr-code", url: FamilyPath.signInCodes(of: child)),
                MenuItem(
                    t.profile.assign, icon: "star", url: FamilyPath.newAssignments(of: child),
                    sheet: AssignForm.sheetID),
            ]
        )
    }

    /// Returns the menu of a parent's account page.
    static func account(_ t: FamilyStrings) -> ActionMenu {
        ActionMenu(
            t.account.menu,
            [MenuItem(t.dashboard.addChore, icon: "list", url: FamilyPath.newChore), .signOut(t)]
        )
    }
}

/// The profile of a parent or a child.
struct MemberView: Sendable {
    let memberName: String
    let memberURL: String
    /// The line below the name; `nil` for none.
    let memberNote: String?
    /// The small size; `nil` without an avatar.
    let memberAvatarURL: String?
    let memberTheme: String
    /// `Ocean`.
    let themeName: String
    /// `12 May 1987`; empty without a date of birth.
    let bornText: String
    let hasBirthday: Bool
    let isMe: Bool

    init(_ parent: Parent, isMe: Bool, t: FamilyStrings, formatter: FamilyFormatter) {
        let isLeaving = parent.removal.map { $0.refusedAt == nil } ?? false
        self.init(
            parent.member, isMe: isMe, note: isLeaving ? t.parents.isLeavingNote : nil, t: t, formatter: formatter)
    }

    init(_ member: Member, isMe: Bool = false, note: String? = nil, t: FamilyStrings, formatter: FamilyFormatter) {
        memberName = member.name
        memberURL = FamilyPath.parent(member.id)
        memberNote = note
        memberAvatarURL = member.avatarPictureID.map { FamilyPath.picture($0, size: .small) }
        memberTheme = member.theme
        themeName = t.child.looks.themes[member.theme] ?? member.theme
        bornText = member.dateOfBirth.map(formatter.date) ?? ""
        hasBirthday = member.dateOfBirth != nil
        self.isMe = isMe
    }
}
