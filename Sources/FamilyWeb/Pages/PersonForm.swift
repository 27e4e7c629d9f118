import Accounts
import Family
import Kernel
import Pictures
import WebCore

/// The form for name, date of birth, theme and avatar of a child or of the reader.
struct PersonForm: Sendable {
    static let sheetID = "edit"

    let formAction: String
    /// The address of the unchanged form, to load it again after a sheet with an error was closed.
    let freshURL: String
    /// The error message for the form as a whole.
    let problem: String?
    let nameField: FamilyField
    let dateField: FamilyField
    let appearance: AppearancePicker
    let submitLabel: String
    let versionText: String
    let hasVersion: Bool
    let baseName: String
    let baseDateOfBirth: String
    let baseTheme: String
    let baseAvatar: String
    /// Whether the form is in a sheet of another page.
    let isSheet: Bool
    let sheetTitle: String
    let idempotencyKey: String

    init(
        _ context: SignedInContext, typed: PersonFormState, action: String, fresh: String = "", nameLabel: String,
        submit: String,
        title: String, isSheet: Bool, error: AppError?, key: String, t: Translator
    ) {
        formAction = action
        freshURL = fresh
        let errors = FormErrors(error)
        problem = errors.message
        nameField = FamilyField(
            "name", label: nameLabel, value: typed.values.name, hint: "", message: errors["name"])
        dateField = FamilyField(
            "dateOfBirth", label: t("Date of birth"), type: "date", value: typed.values.dateOfBirth,
            earliest: BirthDateBounds.earliest, latest: BirthDateBounds.latest(context.web.clock.now),
            message: errors["dateOfBirth"]
        )
        appearance = AppearancePicker(context, theme: typed.values.theme, avatar: typed.values.avatar, errors: errors)
        submitLabel = submit
        versionText = typed.version.map(String.init) ?? ""
        hasVersion = typed.version != nil
        baseName = typed.base.name
        baseDateOfBirth = typed.base.dateOfBirth
        baseTheme = typed.base.theme
        baseAvatar = typed.base.avatar
        self.isSheet = isSheet
        sheetTitle = title
        idempotencyKey = key
    }
}

/// The range of valid dates of birth.
enum BirthDateBounds {
    private static let secondsPerDay: Int64 = 86_400

    static let earliest = "1900-01-01"

    /// Returns yesterday in UTC.
    static func latest(_ now: Instant) -> String { String(now.adding(seconds: -secondsPerDay).rfc3339.prefix(10)) }
}

extension PersonForm {
    static func child(
        _ child: Child, _ context: SignedInContext, typed: PersonFormState, isSheet: Bool, error: AppError?,
        key: String,
        t: Translator
    ) -> PersonForm {
        PersonForm(
            context, typed: typed, action: FamilyPath.child(child.id) + "?_method=patch",
            fresh: FamilyPath.editChild(child.id), nameLabel: t("Name"), submit: t("Update"),
            title: t("Edit {name}", ["name": child.name]), isSheet: isSheet, error: error,
            key: key, t: t
        )
    }

    static func own(
        _ context: SignedInContext, typed: PersonFormState, isSheet: Bool, error: AppError?, key: String,
        t: Translator
    ) -> PersonForm {
        PersonForm(
            context, typed: typed, action: FamilyPath.account + "?_method=patch", fresh: FamilyPath.editAccount,
            nameLabel: t("Name"), submit: t("Update"), title: t("Edit profile"), isSheet: isSheet,
            error: error, key: key, t: t
        )
    }
}
