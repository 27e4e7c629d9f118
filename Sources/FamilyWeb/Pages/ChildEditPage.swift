import Accounts
import Family
import Kernel
import Pictures
import WebCore

/// The page with which a child edits its own profile.
struct ChildEditPage: Sendable {
    static let formID = "my-form"

    let shell: Shell
    let t: FamilyChildPageStrings
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
    let looks: AppearancePicker

    init(_ context: SignedInContext, typed: ChildProfileFormState, error: AppError?) {
        let words = context.familyStrings
        t = words.child.my
        let errors = FormErrors(error)
        shell = Shell(
            context, title: words.child.my.editTitle, menu: .family(words, for: context.account), isLargeTitle: false,
            isNarrow: true, hasTabs: false,
            back: ShellBack(url: FamilyPath.account, label: words.common.cancel, isCancel: true)
        )
        formURL = FamilyPath.child(context.actor.person) + "?_method=patch"
        problem = errors.message
        version = typed.version
        nameLabel = words.person.name
        nameValue = typed.name
        nameError = errors["name"] ?? ""
        isNameInvalid = !nameError.isEmpty
        birthLabel = words.person.dateOfBirth
        birthValue = typed.dateOfBirth
        birthError = errors["dateOfBirth"] ?? ""
        isBirthInvalid = !birthError.isEmpty
        update = words.common.update
        looks = AppearancePicker(context, theme: typed.theme, avatar: typed.avatar, errors: errors)
    }
}
