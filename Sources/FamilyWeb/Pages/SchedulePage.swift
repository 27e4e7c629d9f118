import Family
import Kernel
import Pictures
import Recurrence
import WebCore

/// The typed values of the form *Repeats*, to show them again after an error.
struct ScheduleFormState: Sendable {
    static let defaultTimeZone = "UTC"

    var children: [String]
    var repeats: String
    var weeks: String
    var weekdays: [String]
    var monthDay: String
    var startsOn: String
    var dueTime: String
    /// Empty on pages of the version before.
    var dayPart: String
    var distribution: String
    /// Empty for none.
    var offeredPoints: String
    var graceMinutes: String
    var remindMinutesBefore: String
    var remindsWhenOverdue: Bool
    var until: String
    var timeZone: String
    /// The rule of ``RepeatChoice/other``.
    var rule: String
    /// The version that the form was filled from; `nil` for a new schedule.
    var version: Int64?
    /// The page to return to: ``fromChores``, or empty for the chore's.
    var from = ""

    /// The value of ``from`` for the list of chores.
    static let fromChores = "chores"

    /// Returns the page to return to.
    func returnURL(of chore: ID<Chore>) -> String {
        from == Self.fromChores ? FamilyPath.chores : FamilyPath.chore(chore) + "/edit"
    }

    init(_ details: ChoreScheduleDetails) {
        let schedule = details.schedule
        let start = schedule?.startsOn ?? details.today
        var form = schedule.map { RepeatForm($0.rule, start: $0.startsOn) } ?? RepeatForm(.daily)
        if form.weekdays.isEmpty { form.weekdays = [start.weekday] }
        children = (schedule?.children ?? details.children.map(\.id)).map(\.description)
        repeats = form.choice.rawValue
        weeks = String(form.weeks)
        weekdays = form.weekdays.map(\.code)
        monthDay = String(form.choice == .monthly ? form.monthDay : start.yearMonthDay.day)
        startsOn = start.text
        dueTime = schedule?.dueTime?.text ?? ""
        dayPart = DayPart(schedule?.dueTime).rawValue
        distribution = (schedule?.distribution ?? .each).rawValue
        offeredPoints = schedule?.offeredPoints.map(String.init) ?? ""
        graceMinutes = schedule.map { $0.graceMinutes == 0 ? "" : String($0.graceMinutes) } ?? ""
        remindMinutesBefore = schedule?.remindMinutesBefore.map(String.init) ?? ""
        remindsWhenOverdue = schedule?.remindsWhenOverdue ?? false
        until = form.until?.text ?? ""
        timeZone = details.timeZone ?? Self.defaultTimeZone
        rule = form.choice == .other ? schedule?.rule?.rfc5545 ?? "" : ""
        version = schedule?.version
    }

    init(_ fields: inout Fields) {
        children = fields.childIDs().value ?? []
        repeats = fields.typed("repeats")
        weeks = fields.typed("weeks").trimmingSpaces()
        weekdays = fields.strings("weekdays", atMost: Weekday.allCases.count).value ?? []
        monthDay = fields.typed("monthDay").trimmingSpaces()
        startsOn = fields.typed("startsOn")
        dueTime = fields.typed("dueTime")
        dayPart = fields.typed("dayPart")
        distribution = fields.typed("distribution")
        offeredPoints = fields.typed("offeredPoints")
        graceMinutes = fields.typed("graceMinutes").trimmingSpaces()
        remindMinutesBefore = fields.typed("remindMinutesBefore").trimmingSpaces()
        remindsWhenOverdue = fields.typed("remindsWhenOverdue") == "true"
        until = fields.typed("until")
        timeZone = fields.typed("timeZone").trimmingSpaces()
        rule = fields.typed("rule")
        version = Int64(fields.typed("version"))
        from = fields.typed("from")
    }

    var choice: RepeatChoice? { RepeatChoice(rawValue: repeats) }

    private var form: RepeatForm? {
        guard let choice else { return nil }
        var form = RepeatForm(choice)
        form.weeks = Int(weeks) ?? 0
        form.weekdays = weekdays.compactMap { Weekday(code: $0) }.sorted()
        form.monthDay = Int(monthDay) ?? 0
        if choice != .once { form.until = LocalDate(until) }
        return form
    }

    /// The errors of the fields that only the form has.
    func errors(_ t: Translator) -> [String: String] {
        guard let form else { return ["repeats": t("Choose one of the choices given.")] }
        var errors: [String: String] = [:]
        if form.choice == .weekly, !(1...Limits.recurrenceInterval).contains(form.weeks) {
            errors["weeks"] = t(
                "Enter a whole number from {least} to {most}.",
                ["least": "1", "most": String(Limits.recurrenceInterval)])
        }
        if form.choice == .weekly, form.weekdays.isEmpty { errors["weekdays"] = t("Choose at least one day.") }
        if form.choice == .monthly, !(1...31).contains(form.monthDay) {
            errors["monthDay"] = t(
                "Enter a whole number from {least} to {most}.", ["least": "1", "most": "31"])
        }
        if form.choice != .once, form.choice != .other, !until.isEmpty, form.until == nil {
            errors["until"] = t("Enter the last day as a date, or leave it empty.")
        }
        if dayPart == DayPart.time.rawValue, dueTime.isEmpty { errors["dueTime"] = t("Enter a time such as 18:30.") }
        return errors
    }

    /// A text that isn't a number is out of range.
    private static func number(_ text: String) -> Int64? { text.isEmpty ? nil : Int64(text) ?? -1 }

    private var chosenTime: String? {
        let part = DayPart(rawValue: dayPart) ?? .time
        return part == .time ? (dueTime.isEmpty ? nil : dueTime) : part.end?.text
    }

    var input: ChoreScheduleInput {
        let text = choice == .other ? rule : (try? form?.rule())?.rfc5545
        return ChoreScheduleInput(
            children: children, startsOn: startsOn,
            dueTime: chosenTime, rule: text, distribution: distribution.isEmpty ? nil : distribution,
            offeredPoints: Self.number(offeredPoints), graceMinutes: Self.number(graceMinutes),
            remindMinutesBefore: Self.number(remindMinutesBefore),
            remindsWhenOverdue: remindsWhenOverdue,
            timeZone: timeZone.isEmpty ? nil : timeZone)
    }
}

/// The page that sets when a chore is due.
struct SchedulePage: Sendable {
    let shell: Shell
    let formAction: String
    let problem: String?
    let leadText: String
    let hasChildren: Bool
    let addChildURL: String
    let children: [ScheduleChild]
    let childrenMessage: String
    let isChildrenInvalid: Bool
    /// Whether the family has several children.
    let canShare: Bool
    let distributions: [ScheduleChoice]
    let distributionMessage: String
    let offers: [ScheduleChoice]
    let offerMessage: String
    let choices: [ScheduleChoice]
    let choiceMessage: String
    let rule: String
    let weekdays: [ScheduleChoice]
    let weekdaysMessage: String
    let isWeekdaysInvalid: Bool
    let weeksField: FamilyField
    let monthDayField: FamilyField
    let startField: FamilyField
    let dayParts: [ScheduleChoice]
    let timeField: FamilyField
    let graceField: FamilyField
    let reminderField: FamilyField
    let remindsWhenOverdue: Bool
    /// Whether the reminders are open: something in them is set or wrong.
    let hasReminders: Bool
    let untilField: FamilyField
    let zoneField: FamilyField
    /// Whether the browser fills in its time zone.
    let isZoneUnknown: Bool
    let versionText: String
    let hasVersion: Bool
    let deleteURL: String
    /// The next dates of the schedule; empty without one.
    let dates: [ScheduleDateRow]
    let hasDates: Bool
    let from: String
    /// The page of the chore's name and picture; `nil` if the person came from there.
    let choreURL: String?

    init(
        _ context: SignedInContext, _ details: ChoreScheduleDetails, typed: ScheduleFormState, error: AppError?
    ) {
        let t = context.t
        let path = FamilyPath.schedule(of: details.chore.id)
        shell = .modal(context, title: t("Repeats"), back: typed.returnURL(of: details.chore.id), t)
        from = typed.from
        choreURL = typed.from.isEmpty ? nil : FamilyPath.chore(details.chore.id) + "/edit"
        formAction = path + "?_method=put"
        deleteURL = path + "?_method=delete"
        let dateFormatter = ScheduleFormatter(context)
        dates = details.dates.map { ScheduleDateRow($0, details, t, dateFormatter) }
        hasDates = !dates.isEmpty
        let errors = FormErrors(error)
        problem = errors.message
        leadText = details.chore.name
        hasChildren = !details.children.isEmpty
        addChildURL = FamilyPath.newChild
        children = details.children.map { ScheduleChild($0, isChosen: typed.children.contains($0.id.description)) }
        childrenMessage = errors["childIds"] ?? ""
        isChildrenInvalid = errors["childIds"] != nil
        canShare = details.children.count > 1
        distributions = ChoreDistribution.allCases.map {
            ScheduleChoice($0, isChosen: typed.distribution == $0.rawValue, t)
        }
        offers =
            [
                ScheduleChoice(
                    choiceValue: "", choiceLabel: t("Decide later"), isChosen: typed.offeredPoints.isEmpty)
            ]
            + Limits.chorePoints.map { points in
                ScheduleChoice(
                    choiceValue: String(points), choiceLabel: context.familyFormatter.points(points),
                    isChosen: typed.offeredPoints == String(points))
            }
        offerMessage = errors["offeredPoints"] ?? ""
        distributionMessage = errors["distribution"] ?? ""
        choices = RepeatChoice.allCases.filter { $0 != .other || !typed.rule.isEmpty }.map {
            ScheduleChoice($0, isChosen: typed.repeats == $0.rawValue, t)
        }
        choiceMessage = errors["repeats"] ?? (typed.until.isEmpty ? errors["rule"] : nil) ?? ""
        rule = typed.rule
        let formatter = ScheduleFormatter(context)
        weekdays = Weekday.allCases.map { day in
            ScheduleChoice(
                choiceValue: day.code, choiceLabel: formatter.weekday(day), choiceText: formatter.shortWeekday(day),
                isChosen: typed.weekdays.contains(day.code))
        }
        weekdaysMessage = errors["weekdays"] ?? ""
        isWeekdaysInvalid = errors["weekdays"] != nil
        weeksField = FamilyField(
            "weeks", label: t("Every how many weeks?"), value: typed.weeks, keyboard: "numeric",
            message: errors["weeks"])
        monthDayField = FamilyField(
            "monthDay", label: t("Day of the month"), value: typed.monthDay, keyboard: "numeric",
            hint: t("In a shorter month, its last day."), message: errors["monthDay"])
        startField = FamilyField(
            "startsOn", label: t("First day"), type: "date", value: typed.startsOn, message: errors["startsOn"])
        dayParts = DayPart.allCases.map { part in
            ScheduleChoice(
                choiceValue: part.rawValue, choiceLabel: part.label(t),
                choiceNote: part.end.map { t("By {time}", ["time": $0.text]) },
                isChosen: typed.dayPart == part.rawValue)
        }
        timeField = FamilyField(
            "dueTime", label: t("Due by"), type: "time", value: typed.dueTime, message: errors["dueTime"],
            isRequired: false)
        graceField = FamilyField(
            "graceMinutes", label: t("Grace period in minutes (optional)"), value: typed.graceMinutes,
            keyboard: "numeric", message: errors["graceMinutes"], isRequired: false)
        reminderField = FamilyField(
            "remindMinutesBefore", label: t("Reminder, in minutes before (optional)"),
            value: typed.remindMinutesBefore, keyboard: "numeric", message: errors["remindMinutesBefore"],
            isRequired: false)
        remindsWhenOverdue = typed.remindsWhenOverdue
        hasReminders =
            typed.remindsWhenOverdue || !typed.graceMinutes.isEmpty || !typed.remindMinutesBefore.isEmpty
        untilField = FamilyField(
            "until", label: t("Last day (optional)"), type: "date", value: typed.until,
            message: errors["until"] ?? (typed.until.isEmpty ? nil : errors["rule"]), isRequired: false)
        zoneField = FamilyField(
            "timeZone", label: t("Time zone of the family"), value: typed.timeZone, placeholder: "Europe/Berlin",
            message: errors["timeZone"])
        isZoneUnknown = details.timeZone == nil && error == nil
        versionText = typed.version.map(String.init) ?? ""
        hasVersion = typed.version != nil
    }
}

/// A child that can be chosen.
struct ScheduleChild: Sendable {
    let childID: String
    let childName: String
    let childTheme: String
    let avatarURL: String?
    let isChosen: Bool

    init(_ child: Child, isChosen: Bool) {
        childID = child.id.description
        childName = child.name
        childTheme = child.theme
        avatarURL = child.avatarPictureID.map { FamilyPath.picture($0, size: .small) }
        self.isChosen = isChosen
    }

    init(_ child: Member, isChosen: Bool) {
        childID = child.id.description
        childName = child.name
        childTheme = child.theme
        avatarURL = child.avatarPictureID.map { FamilyPath.picture($0, size: .small) }
        self.isChosen = isChosen
    }
}

/// A choice of the form.
struct ScheduleChoice: Sendable {
    let choiceValue: String
    let choiceLabel: String
    /// The abbreviation of a weekday.
    let choiceText: String
    /// The text below the label; `nil` for none.
    let choiceNote: String?
    let isChosen: Bool

    init(choiceValue: String, choiceLabel: String, choiceText: String = "", choiceNote: String? = nil, isChosen: Bool) {
        self.choiceValue = choiceValue
        self.choiceLabel = choiceLabel
        self.choiceText = choiceText
        self.choiceNote = choiceNote
        self.isChosen = isChosen
    }

    init(_ distribution: ChoreDistribution, isChosen: Bool, _ t: Translator) {
        let (label, note) =
            switch distribution {
            case .each: (t("Each child"), t("Each of them does it every time."))
            case .turns: (t("Taking turns"), t("One child each time, then the next child."))
            case .points:
                (
                    t("The child with the fewest points"),
                    t(
                        "Points of the last {n} day count.", plural: "Points of the last {n} days count.",
                        count: Limits.rotationPointsDays)
                )
            case .first: (t("The first child to claim it"), t("Any of them, but only one."))
            }
        self.init(
            choiceValue: distribution.rawValue, choiceLabel: label, choiceNote: note, isChosen: isChosen)
    }

    init(_ choice: RepeatChoice, isChosen: Bool, _ t: Translator) {
        let label =
            switch choice {
            case .once: t("Once, on the first day")
            case .daily: t("Every day")
            case .weekdays: t("Monday to Friday")
            case .weekly: t("On chosen days of the week")
            case .monthly: t("Every month")
            case .other: t("By the rule of another program")
            }
        self.init(choiceValue: choice.rawValue, choiceLabel: label, isChosen: isChosen)
    }
}

/// A date of the schedule, which can be skipped.
struct ScheduleDateRow: Sendable {
    let dateID: String
    let dateTitle: String
    /// Whose turn it is, or that it is skipped; `nil` for none.
    let dateNote: String?
    let isSkipped: Bool
    let skipURL: String
    let skipLabel: String

    init(_ date: ScheduleDate, _ details: ChoreScheduleDetails, _ t: Translator, _ formatter: ScheduleFormatter) {
        dateID = date.date.text
        dateTitle = formatter.fullDate(date.date)
        isSkipped = date.isSkipped
        dateNote =
            date.isSkipped ? t("Skipped") : date.childID.flatMap { id in details.children.first { $0.id == id }?.name }
        let method = date.isSkipped ? "delete" : "put"
        skipURL = FamilyPath.skip(details.chore.id, on: date.date.text) + "?_method=\(method)"
        skipLabel =
            date.isSkipped
            ? t("Make due again on {date}", ["date": dateTitle]) : t("Skip on {date}", ["date": dateTitle])
    }
}
