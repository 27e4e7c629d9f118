import Family
import Kernel
import Pictures
import WebCore

/// The page about Family for visitors who aren't signed in.
struct FamilyWelcomePage: Sendable {
    let shell: Shell
    let signInURL: String
    /// `nil` if sign-up is closed.
    let registerURL: String?
    let scanURL: String

    init(_ context: AppContext, t: Translator) {
        shell = Shell(
            context, title: t("Family"), menu: .familySignedOut(t), isNarrow: true, hasTabs: false,
            back: ShellBack(url: "/?app=family", label: "Homeward")
        )
        signInURL = FamilyPath.signIn
        registerURL = context.offersRegistration() ? FamilyPath.register : nil
        scanURL = FamilyPath.scan
    }
}

/// The dashboard of a parent, with a card for each child.
struct DashboardPage: Sendable {
    let shell: Shell
    let menu: ActionMenu
    /// The parent's own profile.
    let me: MemberView
    let helloText: String
    let accountURL: String
    let cards: [ChildCard]
    let hasChildren: Bool
    let setupURL: String
    let addChildURL: String
    /// The first steps of a new family; `nil` once they are done or hidden.
    let firstSteps: FirstStepsPart?
    /// `nil` if no chore has a schedule.
    let todayRow: TodayRow?
    /// `nil` if nothing waits for a parent.
    let waiting: WaitingPart?
    /// `nil` without chores.
    let choresRow: ChoresRow?
    /// `nil` without children.
    let shopRow: ShopRow?
    let reloadURL: String
    /// The address of the next page of the list; `nil` on the last one.
    let moreURL: String?

    init(
        _ context: SignedInContext, _ dashboard: FamilyDashboard, after: String?, t: Translator,
        formatter: FamilyFormatter
    ) {
        shell = Shell(
            context, title: t("Family"), menu: .family(t, for: context.account), tab: FamilyTab.family.rawValue,
            isRefreshable: true, action: .plus(t("Add"), url: FamilyPath.menu), emptyDetail: t("Choose a child")
        )
        menu = .dashboard(t)
        let key = shell.idempotencyKey
        self.me = MemberView(dashboard.me, t: t, formatter: formatter)
        helloText = t("Hello, {name}", ["name": dashboard.me.name])
        accountURL = FamilyPath.account
        let page = dashboard.children
        let offers = Dictionary(
            dashboard.today.entries.compactMap { entry in
                entry.request.flatMap { request in entry.offeredPoints.map { (request.id, $0) } }
            }
        ) { one, _ in one }
        cards = page.items.map {
            ChildCard(
                $0, requests: dashboard.requests[$0.id] ?? [], offers: offers, key: key, t: t, formatter: formatter)
        }
        firstSteps = dashboard.firstSteps.map {
            FirstStepsPart($0, children: page.items, key: context.newIdempotencyKey(), t: t)
        }
        todayRow = TodayRow(dashboard.today, t)
        waiting = WaitingPart(dashboard, t)
        choresRow = ChoresRow(dashboard.chores, t)
        shopRow = page.items.isEmpty ? nil : ShopRow(dashboard.shop, child: nil, t, formatter)
        hasChildren = !page.items.isEmpty
        setupURL = FamilyPath.newSetup
        addChildURL = FamilyPath.newChild
        reloadURL = FamilyPath.root + (after.map { "?after=\(PercentEncoding.encoded($0))" } ?? "")
        moreURL = page.next.map { FamilyPath.root + "?after=\(PercentEncoding.encoded($0))" }
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
    static func dashboard(_ t: Translator) -> ActionMenu {
        ActionMenu(
            t("Add"),
            [
                MenuItem(t("Add a child"), icon: "user", url: FamilyPath.newChild, keptAhead: .daily),
                MenuItem(t("Add a chore"), icon: "list", url: FamilyPath.newChore, keptAhead: .daily),
                MenuItem(t("Choose chores"), icon: "images", url: FamilyPath.starterChores, keptAhead: .daily),
            ]
        )
    }

    /// Returns the menu of a child's profile.
    static func profile(_ child: PersonID, _ t: Translator) -> ActionMenu {
        ActionMenu(
            t("Add"),
            [
                MenuItem(
                    t("Add contract"), icon: "trophy", url: FamilyPath.newContract(of: child), keptAhead: .always),
                MenuItem(t("QR code Scan"), icon: "qr-code", url: FamilyPath.signInCodes(of: child)),
                MenuItem(
                    t("Assign chores"), icon: "star", url: FamilyPath.newAssignments(of: child),
                    sheet: AssignForm.sheetID),
            ]
        )
    }

    /// Returns the menu of a parent's account page.
    static func account(_ t: Translator) -> ActionMenu {
        ActionMenu(
            t("Add or sign out"),
            [
                MenuItem(t("Add a chore"), icon: "list", url: FamilyPath.newChore),
                MenuItem(t("Choose chores"), icon: "images", url: FamilyPath.starterChores), .signOut(t),
            ]
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

    init(_ parent: Parent, isMe: Bool, t: Translator, formatter: FamilyFormatter) {
        let isLeaving = parent.removal.map { $0.refusedAt == nil } ?? false
        self.init(
            parent.member, isMe: isMe, note: isLeaving ? t("Removal announced") : nil, t: t, formatter: formatter)
    }

    init(_ member: Member, isMe: Bool = false, note: String? = nil, t: Translator, formatter: FamilyFormatter) {
        memberName = member.name
        memberURL = FamilyPath.parent(member.id)
        memberNote = note
        memberAvatarURL = member.avatarPictureID.map { FamilyPath.picture($0, size: .small) }
        memberTheme = member.theme
        themeName = ThemeName.text(member.theme, t)
        bornText = member.dateOfBirth.map(formatter.date) ?? ""
        hasBirthday = member.dateOfBirth != nil
        self.isMe = isMe
    }
}
