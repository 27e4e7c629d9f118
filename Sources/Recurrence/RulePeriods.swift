import Kernel

/// The periods of a rule, numbered from the one with the start (0): every `interval`-th day, week, month or year. A
/// period's number and dates are computed without those before it.
struct RulePeriods {
    private let rule: RecurrenceRule
    private let start: LocalDate
    private let startYear: Int
    private let startMonth: Int
    /// The months of a period of YEARLY.
    private let months: [Int]
    private let monthDays: [Int]

    /// Consecutive periods without dates after which a rule has no more dates, because the calendar repeats after 400
    /// years.
    let emptyMaximum: Int

    init(_ rule: RecurrenceRule, start: LocalDate) {
        self.rule = rule
        self.start = start
        let fields = start.yearMonthDay
        (startYear, startMonth) = (fields.year, fields.month)
        let hasDays = !rule.monthDays.isEmpty || !rule.weekdays.isEmpty
        monthDays = hasDays ? rule.monthDays : [fields.day]
        months = !rule.months.isEmpty ? rule.months : hasDays ? Array(1...12) : [fields.month]
        emptyMaximum = rule.frequency == .monthly ? 400 * 12 : 400
    }

    /// Returns the number of the last period that begins on or before the date; 0 for dates before the start.
    func index(on date: LocalDate) -> Int {
        let units =
            switch rule.frequency {
            case .daily: date.days(since: start)
            case .weekly: date.days(since: firstWeek) / 7
            case .monthly: monthsSinceStart(date)
            case .yearly: date.yearMonthDay.year - startYear
            }
        return max(0, units) / rule.interval
    }

    /// Returns the first day of a period; no date of it is earlier.
    func firstDay(of index: Int) -> LocalDate {
        let units = index * rule.interval
        switch rule.frequency {
        case .daily: return start.adding(days: units)
        case .weekly: return firstWeek.adding(days: 7 * units)
        case .monthly:
            let month = self.month(after: units)
            return LocalDate(dayNumber: LocalDate.dayNumber(year: month.year, month: month.month, day: 1))
        case .yearly: return LocalDate(dayNumber: LocalDate.dayNumber(year: startYear + units, month: 1, day: 1))
        }
    }

    /// Appends the dates of a period in ascending order. Those of the first period may be before the start.
    func appendDates(of index: Int, to dates: inout [LocalDate]) {
        switch rule.frequency {
        case .daily: dates.append(firstDay(of: index))
        case .weekly: appendWeek(firstDay(of: index), to: &dates)
        case .monthly:
            let month = self.month(after: index * rule.interval)
            appendMonth(year: month.year, month: month.month, to: &dates)
        case .yearly:
            for month in months { appendMonth(year: startYear + index * rule.interval, month: month, to: &dates) }
        }
        if !rule.setPositions.isEmpty { selectPositions(&dates) }
    }

    private var firstWeek: LocalDate { start.adding(days: -start.weekday.days(since: rule.weekStart)) }

    private func monthsSinceStart(_ date: LocalDate) -> Int {
        let fields = date.yearMonthDay
        return (fields.year - startYear) * 12 + fields.month - startMonth
    }

    private func month(after months: Int) -> (year: Int, month: Int) {
        let month = startMonth - 1 + months
        return (startYear + month / 12, month % 12 + 1)
    }

    private func appendWeek(_ first: LocalDate, to dates: inout [LocalDate]) {
        if rule.weekdays.isEmpty {
            dates.append(first.adding(days: start.weekday.days(since: rule.weekStart)))
            return
        }
        let begin = dates.endIndex
        for number in rule.weekdays { dates.append(first.adding(days: number.weekday.days(since: rule.weekStart))) }
        // The rule's weekdays are sorted from Monday.
        if rule.weekStart != .monday { dates[begin...].sort() }
    }

    private func appendMonth(year: Int, month: Int, to dates: inout [LocalDate]) {
        var days = MonthDays(year: year, month: month)
        if !monthDays.isEmpty { days.formIntersection(monthDays: monthDays) }
        if !rule.weekdays.isEmpty { days.formIntersection(weekdays: rule.weekdays) }
        days.append(to: &dates)
    }

    private func selectPositions(_ dates: inout [LocalDate]) {
        let indices = Set(rule.setPositions.map { $0 > 0 ? $0 - 1 : dates.count + $0 })
        dates = indices.filter(dates.indices.contains).sorted().map { dates[$0] }
    }
}
