import Accounts
import Family
import Kernel
import Pictures
import WebCore

/// The page with which a child edits its own profile.
struct ChildEditPage: Sendable {
    static let formID = "my-form"

    let shell: Shell
    let formURL: String
    let problem: String?
    let version: String
    let nameLabel: String
    let nameValue: String
    let nameError: String
    let isNameInvalid: Bool
    let birthLabel: String
    let birthValue: String
    let birthError: String
    let isBirthInvalid: Bool
    let update: String
    let appearance: AppearancePicker

    init(_ context: SignedInContext, typed: ChildProfileFormState, error: AppError?) {
        let errors = FormErrors(error)
        shell = Shell(
            context, title: context.t("My profile"), menu: .family(context.t, for: context.account),
            isLargeTitle: false,
            isNarrow: true, hasTabs: false,
            back: ShellBack(url: FamilyPath.account, label: context.t("Cancel"), isCancel: true)
        )
        formURL = FamilyPath.child(context.actor.person) + "?_method=patch"
        problem = errors.message
        version = typed.version
        nameLabel = context.t("Name")
        nameValue = typed.name
        nameError = errors["name"] ?? ""
        isNameInvalid = !nameError.isEmpty
        birthLabel = context.t("Date of birth")
        birthValue = typed.dateOfBirth
        birthError = errors["dateOfBirth"] ?? ""
        isBirthInvalid = !birthError.isEmpty
        update = context.t("Update")
        appearance = AppearancePicker(context, theme: typed.theme, avatar: typed.avatar, errors: errors)
    }
}
