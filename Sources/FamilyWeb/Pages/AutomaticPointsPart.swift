import Family
import Kernel
import WebCore

/// The part of the chore form that sets whether the chore's points are given automatically.
struct AutomaticPointsPart: Sendable {
    let automaticText: String
    let isAutomaticOpen: Bool
    let hoursField: FamilyField
    let buttons: [AssignButton]
    let pointsError: String

    init(_ typed: ChoreFormState, _ errors: FormErrors, _ t: Translator, _ formatter: FamilyFormatter) {
        let hours = Int(typed.automaticHours)
        automaticText =
            hours.map { t("After {n} hour", plural: "After {n} hours", count: $0) } ?? t("Off")
        let least = String(Limits.automaticHours.lowerBound)
        let most = String(Limits.automaticHours.upperBound)
        hoursField = FamilyField(
            "automaticHours", label: t("After how many hours"), value: typed.automaticHours, keyboard: "numeric",
            hint: t(
                """
                If no parent decides in this time, from {least} to {most} hours, the points are given automatically. \
                Leave it empty if a parent always decides.
                """,
                ["least": least, "most": most]),
            message: errors["automaticHours"], isRequired: false)
        buttons = Limits.chorePoints.map { points in
            AssignButton(
                pointsValue: points, pointsLabel: formatter.points(points),
                isChosen: typed.automaticPoints == String(points))
        }
        pointsError = errors["automaticPoints"] ?? ""
        isAutomaticOpen = hoursField.isInvalid || !pointsError.isEmpty
    }
}
