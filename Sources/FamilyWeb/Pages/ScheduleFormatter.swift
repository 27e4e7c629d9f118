import Family
import Kernel
import Recurrence
import WebCore

/// Writes schedules in the reader's language.
struct ScheduleFormatter: Sendable {
    private let t: Translator
    private let formatter: FamilyFormatter

    init(_ context: some WebContext) { self.init(context.t, context.familyFormatter) }

    init(_ t: Translator, _ formatter: FamilyFormatter) {
        self.t = t
        self.formatter = formatter
    }

    /// `Every week on Monday and Thursday, by 18:00`.
    func summary(_ schedule: ChoreSchedule) -> String {
        let form = RepeatForm(schedule.rule, start: schedule.startsOn)
        var text = repetition(form, start: schedule.startsOn, schedule.rule)
        if let time = schedule.dueTime {
            text = t("{schedule}, by {time}", ["schedule": text, "time": time.text])
        }
        if form.choice != .other, let until = form.until {
            text = t("{schedule}, until {date}", ["schedule": text, "date": date(until)])
        }
        return schedule.children.count > 1 ? distributed(text, schedule.distribution) : text
    }

    private func distributed(_ text: String, _ distribution: ChoreDistribution) -> String {
        switch distribution {
        case .each: text
        case .first: t("{schedule}; the first child to claim it", ["schedule": text])
        case .turns: t("{schedule}; taking turns", ["schedule": text])
        case .points: t("{schedule}; the child with the fewest points", ["schedule": text])
        }
    }

    /// `Every day`, or the days of the week.
    func days(of starter: StarterChore, from start: LocalDate) -> String {
        let rule = try? RecurrenceRule(rfc5545: starter.suggestedRule)
        let form = RepeatForm(rule, start: start)
        return form.choice == .weekly ? list(form.weekdays.map(weekday)) : repetition(form, start: start, rule)
    }

    private func repetition(_ form: RepeatForm, start: LocalDate, _ rule: RecurrenceRule?) -> String {
        switch form.choice {
        case .once: t("Once, on {date}", ["date": date(start)])
        case .daily: t("Every day")
        case .weekdays: t("Monday to Friday")
        case .weekly where form.weeks == 1: t("Every week on {days}", ["days": list(form.weekdays.map(weekday))])
        case .weekly:
            t(
                "Every {n} week on {days}", plural: "Every {n} weeks on {days}", count: form.weeks,
                ["n": String(form.weeks), "days": list(form.weekdays.map(weekday))])
        case .monthly where form.monthDay == 31: t("On the last day of each month")
        case .monthly: t("Every month on day {n}", ["n": String(form.monthDay)])
        case .other: t("By the rule {rule}", ["rule": rule?.rfc5545 ?? ""])
        }
    }

    /// `1 March 2026 to 14 March 2026`.
    func text(of pause: Pause) -> String {
        guard let end = pause.endsOn else { return t("From {date}", ["date": date(pause.startsOn)]) }
        guard end != pause.startsOn else { return date(end) }
        return t("{start} to {end}", ["start": date(pause.startsOn), "end": date(end)])
    }

    func date(_ date: LocalDate) -> String { formatter.date(date.text) }

    func weekday(_ weekday: Weekday) -> String {
        switch weekday {
        case .monday: t("Monday")
        case .tuesday: t("Tuesday")
        case .wednesday: t("Wednesday")
        case .thursday: t("Thursday")
        case .friday: t("Friday")
        case .saturday: t("Saturday")
        case .sunday: t("Sunday")
        }
    }

    /// `Sunday, 1 March 2026`.
    func fullDate(_ date: LocalDate) -> String {
        t("{weekday}, {date}", ["weekday": weekday(date.weekday), "date": self.date(date)])
    }

    /// `Pause until 14 March 2026`; `nil` for a child that isn't paused today.
    func pause(of child: PersonID, _ today: FamilyToday) -> String? {
        today.pause(of: child).map { pause in
            pause.endsOn.map { t("Pause until {date}", ["date": date($0)]) } ?? t("Pause")
        }
    }

    func shortWeekday(_ weekday: Weekday) -> String {
        switch weekday {
        case .monday: t("Mon")
        case .tuesday: t("Tue")
        case .wednesday: t("Wed")
        case .thursday: t("Thu")
        case .friday: t("Fri")
        case .saturday: t("Sat")
        case .sunday: t("Sun")
        }
    }

    private func list(_ names: [String]) -> String {
        guard let last = names.last, names.count > 1 else { return names.first ?? "" }
        return t("{first} and {last}", ["first": names.dropLast().isolated(separator: ", "), "last": last])
    }

    /// `Today`, `Tomorrow`, or `Monday, 2 March 2026`.
    func day(_ date: LocalDate, today: LocalDate) -> String {
        switch date.days(since: today) {
        case 0: t("Today")
        case 1: t("Tomorrow")
        default: fullDate(date)
        }
    }

    /// The text below an entry of *Today*: when it is or was due; `nil` for none.
    func note(_ entry: TodayEntry, today: LocalDate) -> String? {
        guard let date = entry.date else { return nil }
        let days = date.days(since: today)
        let time = entry.dueTime?.text
        switch entry.state {
        case .overdue where days == 0: return t("Was due by {time}", ["time": time ?? ""])
        case .overdue where days == -1: return t("Was due yesterday")
        case .overdue: return t("Was due on {day}", ["day": weekday(date.weekday)])
        case .due: return time.map { t("By {time}", ["time": $0]) } ?? t("Any time today")
        case .waiting, .done: return days == 0 ? nil : t("For {day}", ["day": weekday(date.weekday)])
        case .next:
            let day = day(date, today: today)
            return time.map { t("{schedule}, by {time}", ["schedule": day, "time": $0]) } ?? day
        }
    }
}
