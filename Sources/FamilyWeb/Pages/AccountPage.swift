import Family
import Kernel
import Pictures
import WebCore

/// The account page of a parent: their profile, the household's chores and its parents.
struct ParentAccountPage: Sendable {
    let shell: Shell
    let menu: ActionMenu
    let me: MemberView
    let ownAvatarURL: String?
    let editURL: String
    let chores: [ChoreRow]
    let hasChores: Bool
    let newChoreURL: String
    let parents: [MemberView]
    let invitationsURL: String
    let deletedChildrenURL: String?
    let reloadURL: String
    let edit: PersonForm

    init(
        _ context: SignedInContext, _ account: ParentAccountDetails, t: Translator, formatter: FamilyFormatter
    ) {
        let me = account.me
        let shell = Shell(
            context, title: t("Account"), menu: .family(t, for: context.account), tab: FamilyTab.account.rawValue,
            isRefreshable: true, action: .plus(t("Add or sign out"), url: FamilyPath.menu + "?for=account")
        )
        self.shell = shell
        menu = .account(t)
        self.me = MemberView(me, isMe: true, t: t, formatter: formatter)
        ownAvatarURL = me.avatarPictureID.map { FamilyPath.picture($0, size: .medium) }
        editURL = FamilyPath.editAccount
        chores = account.chores.map(ChoreRow.init)
        hasChores = !chores.isEmpty
        newChoreURL = FamilyPath.newChore
        parents = account.parents.map { MemberView($0, isMe: $0.member.id == me.id, t: t, formatter: formatter) }
        invitationsURL = FamilyPath.invitations
        deletedChildrenURL = account.hasDeletedChildren ? FamilyPath.deletedChildren : nil
        reloadURL = FamilyPath.account
        edit = .own(
            context, typed: PersonFormState(me), isSheet: true, error: nil, key: context.newIdempotencyKey(), t: t)
    }
}

struct ChoreRow: Sendable {
    let id: String
    let choreName: String
    let chorePictureURL: String
    let choreURL: String

    init(_ chore: Chore) {
        id = chore.id.description
        choreName = chore.name
        chorePictureURL = FamilyPath.picture(chore.pictureID, size: .small)
        choreURL = FamilyPath.chore(chore.id) + "/edit"
    }
}
