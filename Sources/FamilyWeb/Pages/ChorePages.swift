import Family
import Kernel
import Pictures
import WebCore

/// The typed values of the chore form, to show them again after an error.
struct ChoreFormState: Sendable {
    var name = ""
    /// The picture's id; empty for none.
    var picture = ""
    /// Empty if only parents give the points.
    var automaticHours = ""
    var automaticPoints = "1"
    /// The steps, one on each line.
    var steps = ""
    var needsPhoto = false
    /// The version that the form was filled from; `nil` for a new chore.
    var version: Int64?

    init() {}

    init(_ chore: Chore) {
        name = chore.name
        picture = chore.pictureID.description
        automaticHours = chore.automatic.map { String($0.hours) } ?? ""
        automaticPoints = chore.automatic.map { String($0.points) } ?? automaticPoints
        steps = chore.steps.joined(separator: "\n")
        needsPhoto = chore.needsPhoto
        version = chore.version
    }

    init(_ fields: Fields) {
        name = fields.typed("name")
        picture = fields.typed("pictureId")
        automaticHours = fields.typed("automaticHours")
        automaticPoints = fields.typed("automaticPoints")
        steps = fields.typed("steps")
        needsPhoto = fields.typed("needsPhoto") == "true"
        version = Int64(fields.typed("version"))
    }
}

/// The page that adds or edits a chore.
struct ChorePage: Sendable {
    let shell: Shell
    let formAction: String
    let problem: String?
    let nameField: FamilyField
    let photo: PhotoField
    let proof: ChoreProofPart
    let automatic: AutomaticPointsPart
    let submitLabel: String
    let versionText: String
    let hasVersion: Bool
    let deleteURL: String
    let canDelete: Bool
    /// `nil` for a new chore.
    let scheduleURL: String?
    /// `Every week on Monday, by 18:00`.
    let scheduleText: String

    init(
        _ context: SignedInContext, editing chore: Chore?, schedule: ChoreSchedule? = nil, typed: ChoreFormState,
        error: AppError?, t: Translator
    ) {
        let title = chore == nil ? t("Add a chore") : t("Edit chore")
        shell = .modal(context, title: title, back: chore == nil ? FamilyPath.root : FamilyPath.account, t)
        formAction = chore.map { FamilyPath.chore($0.id) + "?_method=patch" } ?? FamilyPath.chores
        let errors = FormErrors(error)
        problem = error?.code == .tooLarge ? nil : errors.message
        nameField = FamilyField(
            "name", label: t("Name"), value: typed.name, placeholder: t("What is there to do?"),
            message: errors["name"])
        let picture = ID<Picture>(typed.picture)
        let fault =
            error?.code == .tooLarge
            ? PictureText.tooLarge(t) : errors["picture"] ?? errors["pictureId"]
        photo = PhotoField(
            pictureID: picture?.description ?? "", imageURL: picture.map { FamilyPath.picture($0, size: .medium) },
            error: fault ?? "", label: t("Picture of the chore")
        )
        proof = ChoreProofPart(typed, errors, t)
        automatic = AutomaticPointsPart(typed, errors, t, context.familyFormatter)
        submitLabel = chore == nil ? t("Add a chore") : t("Update")
        versionText = typed.version.map(String.init) ?? ""
        hasVersion = typed.version != nil
        deleteURL = chore.map { FamilyPath.chore($0.id) + "?_method=delete" } ?? ""
        canDelete = chore != nil
        scheduleURL = chore.map { FamilyPath.schedule(of: $0.id) }
        scheduleText = schedule.map { ScheduleFormatter(context).summary($0) } ?? t("No fixed days")
    }
}
