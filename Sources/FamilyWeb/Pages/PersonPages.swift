import Accounts
import Family
import Kernel
import Pictures
import WebCore

/// The values of the form of a person, as text.
struct PersonValues: Sendable, Equatable {
    var name = ""
    var dateOfBirth = ""
    var theme = Themes.standard
    /// The picture's id; empty for none.
    var avatar = ""

    init() {}

    init(_ child: Child) {
        name = child.name
        dateOfBirth = child.dateOfBirth
        theme = child.theme
        avatar = child.avatarPictureID?.description ?? ""
    }

    init(_ member: Member) {
        name = member.name
        dateOfBirth = member.dateOfBirth ?? ""
        theme = member.theme
        avatar = member.avatarPictureID?.description ?? ""
    }

    init(base fields: Fields) {
        name = fields.typed("base.name")
        dateOfBirth = fields.typed("base.dateOfBirth")
        theme = fields.typed("base.theme")
        avatar = fields.typed("base.avatar")
    }
}

/// The typed values of the form, to show them again after an error.
struct PersonFormState: Sendable {
    var values = PersonValues()
    /// The stored values that the form was filled from.
    var base = PersonValues()
    /// The version that the form was filled from; `nil` for a new child.
    var version: Int64?

    init() {}

    init(_ child: Child) {
        values = PersonValues(child)
        base = values
        version = child.version
    }

    init(_ member: Member) {
        values = PersonValues(member)
        base = values
        version = member.version
    }

    init(_ fields: Fields) {
        values.name = fields.typed("name")
        values.dateOfBirth = fields.typed("dateOfBirth")
        base = PersonValues(base: fields)
        values.theme = base.theme.isEmpty ? Themes.standard : base.theme
        values.avatar = base.avatar
        version = Int64(fields.typed("version"))
    }

    /// Applies the choices of the pickers. Requests of API clients have none.
    mutating func take(_ looks: AppearanceFormState) {
        if case .set(let theme) = looks.theme { values.theme = theme }
        values.avatar = looks.chosenAvatar
    }

    /// Merges the values of a concurrent change: it takes over the fields that this person didn't edit.
    mutating func rebase(on present: PersonValues, version: Int64) {
        for path: WritableKeyPath<PersonValues, String> in [\.name, \.dateOfBirth, \.theme, \.avatar]
        where values[keyPath: path] == base[keyPath: path] {
            values[keyPath: path] = present[keyPath: path]
        }
        base = present
        self.version = version
    }
}

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
    let looks: AppearancePicker
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
        title: String, isSheet: Bool, error: AppError?, key: String, t: FamilyStrings
    ) {
        formAction = action
        freshURL = fresh
        let errors = FormErrors(error)
        problem = errors.message
        nameField = FamilyField(
            "name", label: nameLabel, value: typed.values.name, hint: "", message: errors["name"])
        dateField = FamilyField(
            "dateOfBirth", label: t.person.dateOfBirth, type: "date", value: typed.values.dateOfBirth,
            earliest: BirthDateBounds.earliest, latest: BirthDateBounds.latest(context.web.clock.now),
            message: errors["dateOfBirth"]
        )
        looks = AppearancePicker(context, theme: typed.values.theme, avatar: typed.values.avatar, errors: errors)
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

extension PersonForm {
    static func child(
        _ child: Child, _ context: SignedInContext, typed: PersonFormState, isSheet: Bool, error: AppError?,
        key: String,
        t: FamilyStrings
    ) -> PersonForm {
        PersonForm(
            context, typed: typed, action: FamilyPath.child(child.id) + "?_method=patch",
            fresh: FamilyPath.editChild(child.id), nameLabel: t.person.name, submit: t.common.update,
            title: FamilyStrings.fill(t.person.editTitle, ["name": child.name]), isSheet: isSheet, error: error,
            key: key, t: t
        )
    }

    static func own(
        _ context: SignedInContext, typed: PersonFormState, isSheet: Bool, error: AppError?, key: String,
        t: FamilyStrings
    ) -> PersonForm {
        PersonForm(
            context, typed: typed, action: FamilyPath.account + "?_method=patch", fresh: FamilyPath.editAccount,
            nameLabel: t.person.name, submit: t.common.update, title: t.person.editOwnTitle, isSheet: isSheet,
            error: error, key: key, t: t
        )
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
