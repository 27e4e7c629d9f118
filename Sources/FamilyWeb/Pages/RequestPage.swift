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
    let askedMoment: FormattedTime
    let approvalURL: String
    let declineURL: String
    let choices: [PointsChoice]
    let reasonField: FamilyField
    let problem: String?

    init(
        _ context: SignedInContext, _ request: ChoreRequest, childName: String, reason: String, error: AppError?,
        formatter: FamilyFormatter
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
        askedMoment = row.askedMoment
        approvalURL = row.approvalURL
        declineURL = row.declineURL
        choices = row.choices
        let errors = FormErrors(error)
        problem = errors.message
        reasonField = FamilyField(
            "reason", label: t("Reason (optional)"), value: reason,
            hint: t("{name} can read it.", ["name": childName]), message: errors["reason"],
            isRequired: false)
    }
}
