import Family
import Kernel
import WebCore

/// The typed values of the form of a pause, to show them again after an error.
struct PauseFormState: Sendable {
    /// Empty for all children.
    var child: String
    var startsOn: String
    var endsOn: String

    init(_ details: PauseDetails) {
        child = ""
        startsOn = details.today.text
        endsOn = ""
    }

    init(_ fields: Fields) {
        child = fields.typed("childId")
        startsOn = fields.typed("startsOn")
        endsOn = fields.typed("endsOn")
    }

    var input: PauseInput {
        PauseInput(child: child.isEmpty ? nil : child, startsOn: startsOn, endsOn: endsOn.isEmpty ? nil : endsOn)
    }
}

/// The page about pauses.
struct PausesPage: Sendable {
    let shell: Shell
    let problem: String?
    let pauses: [PauseRow]
    let hasPauses: Bool
    let formAction: String
    let children: [ScheduleChoice]
    let childMessage: String
    let startField: FamilyField
    let endField: FamilyField
    let idempotencyKey: String

    init(_ context: SignedInContext, _ details: PauseDetails, typed: PauseFormState, error: AppError?) {
        let t = context.t
        shell = Shell(
            context, title: t("Pauses"), menu: .family(t, for: context.account), tab: FamilyTab.family.rawValue,
            isLargeTitle: false, isRefreshable: true, back: ShellBack(url: FamilyPath.today, label: t("Today")))
        let errors = FormErrors(error)
        problem = errors.message
        let formatter = ScheduleFormatter(context)
        let names = Dictionary(details.children.map { ($0.id, $0.name) }) { one, _ in one }
        pauses = details.pauses.map { PauseRow($0, names, today: details.today, t, formatter) }
        hasPauses = !pauses.isEmpty
        formAction = FamilyPath.pauses
        children =
            [ScheduleChoice(choiceValue: "", choiceLabel: t("All children"), isChosen: typed.child.isEmpty)]
            + details.children.map {
                ScheduleChoice(
                    choiceValue: $0.id.description, choiceLabel: $0.name, isChosen: typed.child == $0.id.description)
            }
        childMessage = errors["childId"] ?? ""
        startField = FamilyField(
            "startsOn", label: t("First day"), type: "date", value: typed.startsOn, message: errors["startsOn"])
        endField = FamilyField(
            "endsOn", label: t("Last day (optional)"), type: "date", value: typed.endsOn,
            hint: t("Leave this empty if you don’t know yet. Then the pause lasts until you end it."),
            message: errors["endsOn"], isRequired: false)
        idempotencyKey = shell.idempotencyKey
    }
}

/// A present or coming pause.
struct PauseRow: Sendable {
    let pauseID: String
    let pauseTitle: String
    let pauseText: String
    let endURL: String
    let endText: String
    let endLabel: String

    init(
        _ pause: Pause, _ names: [PersonID: String], today: LocalDate, _ t: Translator, _ formatter: ScheduleFormatter
    ) {
        pauseID = pause.id.description
        pauseTitle = pause.childID.map { names[$0] ?? "" } ?? t("All children")
        pauseText = formatter.text(of: pause)
        endURL = FamilyPath.pause(pause.id) + "?_method=delete"
        let isComing = pause.startsOn > today
        endText = isComing ? t("Remove") : t("End")
        let values: KeyValuePairs = ["name": pauseTitle, "dates": pauseText]
        endLabel =
            isComing ? t("Remove the pause: {name}, {dates}", values) : t("End the pause: {name}, {dates}", values)
    }
}
