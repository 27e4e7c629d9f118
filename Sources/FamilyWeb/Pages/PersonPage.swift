import Accounts
import Family
import Kernel
import Pictures
import WebCore

/// The pages that add a child or edit a person. The edit forms are also sheets of other pages.
struct PersonPage: Sendable {
    let shell: Shell
    let t: FamilyStrings
    let form: PersonForm
    /// The button that deletes the child; `nil` if the form isn't about a stored child.
    let deletion: ChildDeletion?

    /// Creates the page that adds a child.
    init(adding context: SignedInContext, typed: PersonFormState, error: AppError?, t: FamilyStrings) {
        let shell = Shell.modal(context, title: t.person.addTitle, back: FamilyPath.root, t)
        self.shell = shell
        self.t = t
        form = PersonForm(
            context, typed: typed, action: FamilyPath.children, nameLabel: t.person.childName,
            submit: t.person.addTitle, title: t.person.addTitle, isSheet: false, error: error,
            key: shell.idempotencyKey, t: t
        )
        deletion = nil
    }

    /// Creates the page that edits a child.
    init(editing child: Child, _ context: SignedInContext, typed: PersonFormState, error: AppError?, t: FamilyStrings) {
        let title = FamilyStrings.fill(t.person.editTitle, ["name": child.name])
        let shell = Shell.modal(context, title: title, back: FamilyPath.child(child.id), t)
        self.shell = shell
        self.t = t
        form = .child(
            child, context, typed: typed, isSheet: context.face == .fragment, error: error,
            key: shell.idempotencyKey, t: t)
        deletion = ChildDeletion(child, key: shell.idempotencyKey, t: t)
    }

    /// Creates the page that edits the reader's own profile.
    init(own context: SignedInContext, typed: PersonFormState, error: AppError?, t: FamilyStrings) {
        let shell = Shell.modal(context, title: t.person.editOwnTitle, back: FamilyPath.account, t)
        self.shell = shell
        self.t = t
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

    init(_ child: Child, key: String, t: FamilyStrings) {
        deleteURL = FamilyPath.child(child.id) + "?_method=delete"
        deleteLabel = FamilyStrings.fill(t.person.delete, ["name": child.name])
        deleteQuestion = FamilyStrings.fill(t.person.deleteQuestion, ["name": child.name])
        deleteText = FamilyStrings.fill(t.person.deleteText, ["name": child.name])
        confirmLabel = t.common.delete
        deleteKey = key
    }
}

extension Shell {
    /// Returns the frame of a page with one form: no tabs, and *Cancel* at the top left.
    static func modal(_ context: SignedInContext, title: String, back: String, _ t: FamilyStrings) -> Shell {
        Shell(
            context, title: title, menu: .family(t, for: context.account), isLargeTitle: false, isNarrow: true,
            hasTabs: false, back: ShellBack(url: back, label: t.common.cancel, isCancel: true)
        )
    }
}
