import Kernel

/// The dates of a rule in a range, in ascending order. COUNT and UNTIL are ignored: the range has the end.
struct RuleDates: IteratorProtocol {
    private let periods: RulePeriods
    private let first: LocalDate
    private let last: LocalDate
    private var nextPeriod: Int
    private var emptyPeriods = 0
    /// Dates of the last period, and the index of the next one.
    private var dates: [LocalDate] = []
    private var nextDate = 0

    /// The number of periods whose dates were computed, which shows the cost.
    private(set) var periodCount = 0

    /// Begins at the period of `first`, wherever the rule starts. Dates before the start aren't dates of the rule.
    init(_ periods: RulePeriods, start: LocalDate, from first: LocalDate, through last: LocalDate) {
        self.periods = periods
        self.first = max(start, first)
        self.last = min(last, .last)
        nextPeriod = periods.index(on: self.first)
    }

    mutating func next() -> LocalDate? {
        while true {
            while nextDate < dates.count {
                let date = dates[nextDate]
                guard date <= last else { return nil }
                nextDate += 1
                if date >= first { return date }
            }
            guard emptyPeriods < periods.emptyMaximum, periods.firstDay(of: nextPeriod) <= last else { return nil }
            readPeriod()
        }
    }

    private mutating func readPeriod() {
        dates.removeAll(keepingCapacity: true)
        nextDate = 0
        periods.appendDates(of: nextPeriod, to: &dates)
        emptyPeriods = dates.isEmpty ? emptyPeriods + 1 : 0
        nextPeriod += 1
        periodCount += 1
    }
}
