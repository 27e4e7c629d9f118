import Family
import Kernel
import Pictures
import WebCore

/// The chosen points by the chore's id, as a client sent them.
struct PointsFormState: Sendable {
    static let nothing = PointsFormState()

    /// In the order in which the service gets them.
    private(set) var chosen: [(chore: String, points: String)] = []
    private var pointsByChore: [String: String] = [:]

    private init() {}

    init(_ fields: Fields) {
        chosen = fields.names(below: "points", atMost: Limits.formFields).compactMap { chore in
            let points = fields.typed("points.\(chore)")
            return points.isEmpty || points == "0" ? nil : (chore, points)
        }
        pointsByChore = Dictionary(chosen.map { ($0.chore, $0.points) }) { first, _ in first }
    }

    var entries: [AssignmentInput] {
        chosen.map { AssignmentInput(choreID: ID<Chore>($0.chore), points: Int64($0.points)) }
    }

    func points(for chore: ID<Chore>) -> Int64? {
        pointsByChore[chore.description].flatMap { Int64($0) }
    }
}

/// A chore with its buttons for 1, 2 and 3 points.
struct AssignRow: Sendable {
    let choreID: String
    let choreName: String
    let chorePictureURL: String
    let groupLabel: String
    let buttons: [AssignButton]
    let isNoneChosen: Bool

    init(_ chore: Chore, chosen: Int64?, t: Translator, formatter: FamilyFormatter) {
        choreID = chore.id.description
        choreName = chore.name
        chorePictureURL = FamilyPath.picture(chore.pictureID, size: .small)
        groupLabel = t("Points for {chore}", ["chore": chore.name])
        buttons = Limits.chorePoints.map { points in
            AssignButton(pointsValue: points, pointsLabel: formatter.points(points), isChosen: chosen == points)
        }
        isNoneChosen = chosen == nil
    }
}

/// One of these buttons.
struct AssignButton: Sendable {
    let pointsValue: Int64
    let pointsLabel: String
    let isChosen: Bool
}

/// The form *Assign chores*.
struct AssignForm: Sendable {
    static let sheetID = "assign"

    let formAction: String
    /// The address that returns the rows again after a chore changed.
    let reloadURL: String
    let leadText: String
    let rows: [AssignRow]
    let hasChores: Bool
    let newChoreURL: String
    let starterChoresURL: String
    let profileURL: String
    /// The error message; empty for none.
    let hintText: String
    let hasHint: Bool
    /// Whether the form is in a sheet of another page.
    let isSheet: Bool
    let idempotencyKey: String

    init(
        _ context: SignedInContext, child: Child, chores: [Chore], typed: PointsFormState, isSheet: Bool,
        error: AppError?, key: String, t: Translator, formatter: FamilyFormatter
    ) {
        formAction = FamilyPath.assignments(of: child.id)
        reloadURL = FamilyPath.newAssignments(of: child.id)
        leadText = t("Choose points for what {name} has done.", ["name": child.name])
        rows = chores.map { AssignRow($0, chosen: typed.points(for: $0.id), t: t, formatter: formatter) }
        hasChores = !chores.isEmpty
        newChoreURL = FamilyPath.newChore
        starterChoresURL = FamilyPath.starterChores
        profileURL = FamilyPath.child(child.id)
        hintText = Self.hint(error, typed, t)
        hasHint = !hintText.isEmpty
        self.isSheet = isSheet
        idempotencyKey = key
    }

    private static func hint(_ error: AppError?, _ typed: PointsFormState, _ t: Translator) -> String {
        guard let error else { return "" }
        if error.code == .invalid, typed.chosen.isEmpty { return t("Choose 1, 2 or 3 points for at least one chore.") }
        let isGone = error.fields.keys.contains { $0.hasPrefix("chores.") && $0.hasSuffix(".choreId") }
        return error.code == .conflict && isGone
            ? t("A chore that you chose was deleted. No points were given. Check the others and assign them again.")
            : error.fields.values.min() ?? error.message
    }
}

/// The form as a page, and as the fragment that scripts put back into the sheet.
struct AssignPage: Sendable {
    let shell: Shell
    let assign: AssignForm

    init(
        _ context: SignedInContext, child: Child, chores: [Chore], typed: PointsFormState, error: AppError?,
        t: Translator, formatter: FamilyFormatter
    ) {
        let shell = Shell(
            context, title: t("Assign chores"), menu: .family(t, for: context.account), isLargeTitle: false,
            isNarrow: true, hasTabs: false,
            back: ShellBack(url: FamilyPath.child(child.id), label: t("Close"), isCancel: true)
        )
        self.shell = shell
        assign = AssignForm(
            context, child: child, chores: chores, typed: typed, isSheet: context.face == .fragment, error: error,
            key: shell.idempotencyKey, t: t, formatter: formatter)
    }
}
