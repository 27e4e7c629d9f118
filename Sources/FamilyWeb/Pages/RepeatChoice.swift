import Family
import Kernel
import Recurrence

/// The choices of the form *Repeats*.
enum RepeatChoice: String, CaseIterable, Sendable {
    case once
    case daily
    /// Monday to Friday.
    case weekdays
    case weekly
    case monthly
    /// A rule that another program stored and the form can't show.
    case other
}

/// A recurrence rule as the form shows it.
struct RepeatForm: Sendable, Hashable {
    static let workdays: [Weekday] = [.monday, .tuesday, .wednesday, .thursday, .friday]
    /// The first day of the month that some months lack.
    private static let firstRareDay = 29

    var choice: RepeatChoice
    /// Weeks from one occurrence to the next, for ``RepeatChoice/weekly``.
    var weeks = 1
    var weekdays: [Weekday] = []
    /// 1 to 31, for ``RepeatChoice/monthly``. In a month without the day, its last day.
    var monthDay = 1
    var until: LocalDate?

    init(_ choice: RepeatChoice) { self.choice = choice }

    /// - Parameter start: the schedule's start, from which a rule without days takes its day.
    init(_ rule: RecurrenceRule?, start: LocalDate) {
        self.init(.other)
        guard let rule else {
            choice = .once
            return
        }
        switch rule.end {
        case .never: break
        case .date(let date): until = date
        case .count, .local, .instant: return
        }
        guard rule.weekStart == .monday, rule.months.isEmpty else { return }
        switch rule.frequency {
        case .daily where rule.interval == 1: choice = .daily
        case .weekly:
            weekdays = rule.weekdays.isEmpty ? [start.weekday] : rule.weekdays.map(\.weekday)
            weeks = rule.interval
            choice = weeks == 1 && weekdays == Self.workdays ? .weekdays : .weekly
        case .monthly where rule.interval == 1 && rule.weekdays.isEmpty:
            let days = rule.monthDays.isEmpty ? [start.yearMonthDay.day] : rule.monthDays
            guard let day = (1...31).first(where: { Self.parts(day: $0) == (days, rule.setPositions) }) else { return }
            monthDay = day
            choice = .monthly
        case .daily, .monthly, .yearly: break
        }
    }

    /// BYMONTHDAY and BYSETPOS for a day of the month, or the last day of a month without it.
    private static func parts(day: Int) -> (monthDays: [Int], setPositions: [Int]) {
        if day == 31 { return ([-1], []) }
        return day < firstRareDay ? ([day], []) : (Array((firstRareDay - 1)...day), [-1])
    }

    /// The rule; `nil` for once.
    /// - Throws: `RecurrenceRuleError` if a value is out of range.
    func rule() throws(RecurrenceRuleError) -> RecurrenceRule? {
        let end = until.map { RecurrenceRule.End.date($0) } ?? .never
        switch choice {
        case .once, .other: return nil
        case .daily: return try RecurrenceRule(.daily, end: end)
        case .weekdays:
            return try RecurrenceRule(.weekly, weekdays: Self.workdays.map { .init($0) }, end: end)
        case .weekly:
            return try RecurrenceRule(.weekly, interval: weeks, weekdays: weekdays.map { .init($0) }, end: end)
        case .monthly:
            let parts = Self.parts(day: monthDay)
            return try RecurrenceRule(
                .monthly, monthDays: parts.monthDays, setPositions: parts.setPositions, end: end)
        }
    }
}
