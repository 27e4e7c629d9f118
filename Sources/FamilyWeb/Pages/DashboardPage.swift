import Family
import Kernel
import Pictures
import WebCore

/// What the family is about, and the ways in.
struct FamilyWelcomePage: Sendable {
    let shell: Shell
    let t: FamilyStrings
    let signInURL: String
    /// `nil` where registration is not open.
    let registerURL: String?
    let scanURL: String

    init(_ context: AppContext, t: FamilyStrings) {
        shell = Shell(
            context, title: t.common.family, menu: .familyDoor(t), isNarrow: true, hasTabs: false,
            back: ShellBack(url: "/", label: "Homeward")
        )
        self.t = t
        signInURL = FamilyPath.signIn
        registerURL = context.site.offersRegistration() ? FamilyPath.register : nil
        scanURL = FamilyPath.scan
    }
}

/// A parent's dashboard: a card for each child.
struct DashboardPage: Sendable {
    let shell: Shell
    let t: FamilyStrings
    let menu: ActionMenu
    /// The parent's own name and looks.
    let me: MemberView
    let helloText: String
    let accountURL: String
    let cards: [ChildCard]
    let isEmpty: Bool
    let addChildURL: String
    let reloadURL: String
    /// The next part of a long list.
    let moreURL: String?

    init(
        _ context: SignedInContext, me: Member, _ page: FamilyPage<Child>, requests: [PersonID: [ChoreRequest]],
        after: String?,
        t: FamilyStrings, wording: FamilyWording
    ) {
        shell = Shell(
            context, title: t.common.family, menu: .family(t, for: context.account), tab: FamilyTab.family.rawValue,
            isRefreshable: true, action: .plus(t.dashboard.add, url: FamilyPath.menu), emptyDetail: t.dashboard.choose
        )
        self.t = t
        menu = .dashboard(t)
        let assets = shell.assets
        let key = shell.idempotencyKey
        self.me = MemberView(me, t: t, wording: wording)
        helloText = FamilyStrings.fill(t.dashboard.hello, ["name": me.name])
        accountURL = FamilyPath.account
        cards = page.items.map {
            ChildCard($0, requests: requests[$0.id] ?? [], assets: assets, key: key, t: t, wording: wording)
        }
        isEmpty = page.items.isEmpty
        addChildURL = FamilyPath.newChild
        reloadURL = FamilyPath.root + (after.map { "?after=\(PathSegment.encoded($0))" } ?? "")
        moreURL = page.next.map { FamilyPath.root + "?after=\(PathSegment.encoded($0))" }
    }
}

extension ShellAction {
    /// The plus at the top right.
    static func plus(_ label: String, url: String) -> ShellAction {
        ShellAction(label: label, icon: "plus", url: url, sheetID: ActionMenu.sheetID)
    }
}

extension ActionMenu {
    /// Of the dashboard.
    static func dashboard(_ t: FamilyStrings) -> ActionMenu {
        ActionMenu(
            t.dashboard.add,
            [
                ActionItem(t.dashboard.addChild, icon: "user", url: FamilyPath.newChild, keptAhead: .daily),
                ActionItem(t.dashboard.addChore, icon: "list", url: FamilyPath.newChore, keptAhead: .daily),
            ]
        )
    }

    /// Of a child's profile.
    static func profile(_ child: PersonID, _ t: FamilyStrings) -> ActionMenu {
        ActionMenu(
            t.profile.add,
            [
                ActionItem(
                    t.profile.addContract, icon: "trophy", url: FamilyPath.newContract(of: child), keptAhead: .always),
                ActionItem(t.profile.qrCode, icon: "qr-code", url: FamilyPath.signInCodes(of: child)),
                ActionItem(
                    t.profile.assign, icon: "star", url: FamilyPath.newAssignments(of: child),
                    sheet: AssignForm.sheetID),
            ]
        )
    }

    /// Of a parent's account.
    static func account(_ t: FamilyStrings) -> ActionMenu {
        ActionMenu(
            t.account.menu,
            [ActionItem(t.dashboard.addChore, icon: "list", url: FamilyPath.newChore), .signOut(t)]
        )
    }
}

/// A grown-up or a child by name and looks.
struct MemberView: Sendable {
    let memberName: String
    let memberURL: String
    /// Below the name; `nil` for nothing.
    let memberNote: String?
    /// Small; `nil` for none.
    let memberAvatarURL: String?
    let memberTheme: String
    /// `Ocean`.
    let themeName: String
    /// `12 May 1987`; empty when there is none.
    let bornText: String
    let hasBirthday: Bool
    let isMe: Bool

    init(_ parent: Parent, isMe: Bool, t: FamilyStrings, wording: FamilyWording) {
        let isLeaving = parent.removal.map { $0.refusedAt == nil } ?? false
        self.init(
            parent.member, isMe: isMe, note: isLeaving ? t.parents.isLeavingNote : nil, t: t, wording: wording)
    }

    init(_ member: Member, isMe: Bool = false, note: String? = nil, t: FamilyStrings, wording: FamilyWording) {
        memberName = member.name
        memberURL = FamilyPath.parent(member.id)
        memberNote = note
        memberAvatarURL = member.avatarPictureID.map { FamilyPath.picture($0, size: .small) }
        memberTheme = member.theme
        themeName = t.child.looks.themes[member.theme] ?? member.theme
        bornText = member.dateOfBirth.map(wording.date) ?? ""
        hasBirthday = member.dateOfBirth != nil
        self.isMe = isMe
    }
}
