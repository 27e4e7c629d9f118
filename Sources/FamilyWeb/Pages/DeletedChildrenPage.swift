import Accounts
import Family
import Kernel
import Pictures
import WebCore

/// The list of the children that can be restored.
struct DeletedChildrenPage: Sendable {
    let shell: Shell
    let pageURL: String
    let children: [DeletedChildRow]
    let hasChildren: Bool
    let restorationNote: String
    let emptyNote: String

    init(_ context: SignedInContext, _ children: [DeletedChild]) {
        let t = context.t
        shell = Shell(
            context, title: t("Deleted children"), menu: .family(t, for: context.account),
            tab: FamilyTab.account.rawValue, isLargeTitle: false, isRefreshable: true,
            back: ShellBack(url: FamilyPath.account, label: t("Account"))
        )
        pageURL = FamilyPath.deletedChildren
        let formatter = context.familyFormatter
        self.children = children.map { DeletedChildRow($0, size: .small, formatter) }
        hasChildren = !children.isEmpty
        let days = Limits.childRestorationSeconds.wholeDays
        restorationNote = t(
            "You can restore a deleted child for {n} day, with all points and rewards.",
            plural: "You can restore a deleted child for {n} days, with all points and rewards.", count: days)
        emptyNote = t(
            "Children you delete are kept here for {n} day.", plural: "Children you delete are kept here for {n} days.",
            count: days)
    }
}

/// A deleted child in a list and on its page.
struct DeletedChildRow: Sendable {
    let id: String
    let childName: String
    let childURL: String
    let avatarURL: String?
    let deletedAt: FormattedTime
    let until: FormattedTime

    init(_ child: DeletedChild, size: PictureSize, _ formatter: FamilyFormatter) {
        id = child.member.id.description
        childName = child.member.name
        childURL = FamilyPath.deletedChild(child.member.id)
        avatarURL = child.member.avatarPictureID.map { FamilyPath.picture($0, size: size) }
        deletedAt = FormattedTime(child.deletedAt, formatter.times)
        until = FormattedTime(child.restorableUntil, formatter.times)
    }
}

/// A deleted child, with the buttons that restore and erase it.
struct DeletedChildPage: Sendable {
    let shell: Shell
    let pageURL: String
    let child: DeletedChildRow
    let restoreURL: String
    let actions: [ParentAction]

    /// - Parameters:
    ///   - proof: the proof that the erasure requires.
    ///   - error: the error of the password.
    init(_ context: SignedInContext, _ child: DeletedChild, proof: ProofState, error: AppError?) {
        let t = context.t
        let id = child.member.id
        shell = Shell(
            context, title: child.member.name, menu: .family(t, for: context.account),
            tab: FamilyTab.account.rawValue, isLargeTitle: false, isNarrow: true, isRefreshable: true,
            back: ShellBack(url: FamilyPath.deletedChildren, label: t("Deleted children"))
        )
        pageURL = FamilyPath.deletedChild(id)
        let formatter = context.familyFormatter
        self.child = DeletedChildRow(child, size: .medium, formatter)
        restoreURL = FamilyPath.child(id) + "/restoration"
        let errors = FormErrors(error)
        let form = ProofField.beside(
            proof, for: .eraseChild, message: errors["password"] ?? errors.message ?? "", destination: pageURL,
            t)
        actions = [
            ParentAction(
                url: pageURL + "?_method=delete", label: t("Erase now"), question: t("Erase {name} now?"),
                note: t(
                    "{name} and all points and rewards are erased. This can’t be undone. All parents are notified."),
                name: child.member.name, proof: form, key: shell.idempotencyKey)
        ]
    }
}
