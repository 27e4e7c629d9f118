import Family
import Kernel
import Pictures
import WebCore

/// The page of a child's request, with the buttons to decide on it.
struct RequestPage: Sendable {
    let shell: Shell
    let requestText: String
    let choreName: String
    let chorePictureURL: String
    /// The child's photo; `nil` for none.
    let photoURL: String?
    let photoLabel: String
    let askedMoment: FormattedTime
    /// Says how many points are given automatically; `nil` if a parent has to decide.
    let automaticText: String?
    let automaticMoment: FormattedTime?
    let approvalURL: String
    let declineURL: String
    let choices: [PointsChoice]
    let reasonField: FamilyField
    /// The page to return to after the decision.
    let from: String
    /// Whether the part for declining is open: the reader came to decline.
    let isDeclining: Bool
    /// Short reasons that decline the request at once.
    let quickReasons: [String]
    let problem: String?

    init(
        _ context: SignedInContext, _ request: ChoreRequest, childName: String, from: String, isDeclining: Bool,
        reason: String, error: AppError?, formatter: FamilyFormatter
    ) {
        let t = context.t
        shell = Shell(
            context, title: t("Points for {name}", ["name": childName]),
            menu: .family(t, for: context.account), tab: FamilyTab.family.rawValue, isLargeTitle: false,
            isNarrow: true, back: ShellBack(url: FamilyPath.child(request.childID), label: childName)
        )
        let row = RequestRow(request, key: "", t: t, formatter: formatter)
        requestText = t("{name} has done “{chore}”.", ["name": childName, "chore": request.name])
        choreName = request.name
        chorePictureURL = FamilyPath.picture(request.pictureID, size: .medium)
        photoURL = request.photoID.map { FamilyPath.picture($0, size: .large) }
        photoLabel = t("Photo by {name}", ["name": childName])
        askedMoment = row.askedMoment
        automaticMoment = row.automaticMoment
        automaticText = row.automaticMoment.map { _ in t("If no parent decides, the points are given automatically:") }
        approvalURL = row.approvalURL
        declineURL = row.declineURL
        choices = row.choices
        self.from = from
        self.isDeclining = isDeclining
        quickReasons = [t("Not quite finished yet"), t("Please do it again"), t("It wasn’t your turn")]
        let errors = FormErrors(error)
        problem = errors.message
        reasonField = FamilyField(
            "reason", label: t("Reason (optional)"), value: reason,
            hint: t("{name} can read it.", ["name": childName]), message: errors["reason"],
            isRequired: false)
    }
}
