import Accounts
import Family
import Kernel
import Pictures
import WebCore

/// The pages that add a child or edit a person. The edit forms are also sheets of other pages.
struct PersonPage: Sendable {
    let shell: Shell
    let form: PersonForm
    /// The button that deletes the child; `nil` if the form isn't about a stored child.
    let deletion: ChildDeletion?

    /// Creates the page that adds a child.
    init(adding context: SignedInContext, typed: PersonFormState, error: AppError?, t: Translator) {
        let shell = Shell.modal(context, title: t("Add a child"), back: FamilyPath.root, t)
        self.shell = shell
        form = PersonForm(
            context, typed: typed, action: FamilyPath.children, nameLabel: t("Child’s name"),
            submit: t("Add a child"), title: t("Add a child"), isSheet: false, error: error,
            key: shell.idempotencyKey, t: t
        )
        deletion = nil
    }

    /// Creates the page that edits a child.
    init(editing child: Child, _ context: SignedInContext, typed: PersonFormState, error: AppError?, t: Translator) {
        let title = t("Edit {name}", ["name": child.name])
        let shell = Shell.modal(context, title: title, back: FamilyPath.child(child.id), t)
        self.shell = shell
        form = .child(
            child, context, typed: typed, isSheet: context.face == .fragment, error: error,
            key: shell.idempotencyKey, t: t)
        deletion = ChildDeletion(child, key: shell.idempotencyKey, t: t)
    }

    /// Creates the page that edits the reader's own profile.
    init(own context: SignedInContext, typed: PersonFormState, error: AppError?, t: Translator) {
        let shell = Shell.modal(context, title: t("Edit profile"), back: FamilyPath.account, t)
        self.shell = shell
        form = .own(
            context, typed: typed, isSheet: context.face == .fragment, error: error, key: shell.idempotencyKey, t: t)
        deletion = nil
    }
}

/// The button that deletes a child.
struct ChildDeletion: Sendable {
    let deleteURL: String
    let deleteLabel: String
    let deleteQuestion: String
    let deleteText: String
    let confirmLabel: String
    let deleteKey: String

    init(_ child: Child, key: String, t: Translator) {
        deleteURL = FamilyPath.child(child.id) + "?_method=delete"
        deleteLabel = t("Delete {name}", ["name": child.name])
        deleteQuestion = t("Delete {name}?", ["name": child.name])
        deleteText = t(
            """
            All devices of {name} are signed out. You can restore {name} with all points and rewards for {n} day. All \
            parents are notified.
            """,
            plural: """
                All devices of {name} are signed out. You can restore {name} with all points and rewards for {n} days. \
                All parents are notified.
                """,
            count: Limits.childRestorationSeconds.wholeDays, ["name": child.name])
        confirmLabel = t("Delete")
        deleteKey = key
    }
}

extension Shell {
    /// Returns the frame of a page with one form: no tabs, and *Cancel* at the top left.
    static func modal(_ context: SignedInContext, title: String, back: String, _ t: Translator) -> Shell {
        Shell(
            context, title: title, menu: .family(t, for: context.account), isLargeTitle: false, isNarrow: true,
            hasTabs: false, back: ShellBack(url: back, label: t("Cancel"), isCancel: true)
        )
    }
}
