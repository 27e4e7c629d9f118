import Kernel

/// The dates of a schedule in a range, in ascending order: those of the rule and the additional ones, each once,
/// without the excluded ones.
struct ScheduleDates: IteratorProtocol {
    private var ruleDates: RuleDates?
    private var additional: ArraySlice<LocalDate>
    private let excluded: Set<LocalDate>
    private var nextRuleDate: LocalDate?

    /// - Parameter lastRuleDate: The last date of the rule, or the only one without a rule.
    init(_ schedule: Schedule, lastRuleDate: LocalDate, from first: LocalDate, through last: LocalDate) {
        excluded = schedule.exceptions.excluded
        additional = schedule.exceptions.additional[...].drop { $0 < first }.prefix { $0 <= last }
        if let rule = schedule.rule {
            var dates = RuleDates(
                RulePeriods(rule, start: schedule.start), start: schedule.start, from: first,
                through: min(last, lastRuleDate))
            nextRuleDate = dates.next()
            ruleDates = dates
        } else {
            nextRuleDate = first <= schedule.start && schedule.start <= last ? schedule.start : nil
        }
    }

    mutating func next() -> LocalDate? {
        while let date = nextIncludingExcluded() {
            if excluded.isEmpty || !excluded.contains(date) { return date }
        }
        return nil
    }

    private mutating func nextIncludingExcluded() -> LocalDate? {
        guard let ruleDate = nextRuleDate else { return additional.popFirst() }
        if let added = additional.first, added <= ruleDate {
            additional.removeFirst()
            if added < ruleDate { return added }
        }
        nextRuleDate = ruleDates?.next()
        return ruleDate
    }
}
