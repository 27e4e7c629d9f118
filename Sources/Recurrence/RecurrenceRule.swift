package import Kernel

/// How a schedule repeats: the subset of the recurrence rules of RFC 5545 (3.3.10) that a household needs.
///
/// | FREQ | INTERVAL | BYMONTH | BYMONTHDAY | BYDAY | BYSETPOS |
/// | --- | --- | --- | --- | --- | --- |
/// | DAILY | yes | | | | |
/// | WEEKLY | yes | | | weekdays | |
/// | MONTHLY | yes | | yes | weekdays, with an ordinal or without | yes |
/// | YEARLY | yes | yes | yes | only with BYMONTH: of each such month | yes |
///
/// A rule without BYMONTHDAY and BYDAY takes the day from the start, and YEARLY without BYMONTH also the month. YEARLY
/// with BYMONTHDAY and without BYMONTH has these days of every month. BYMONTHDAY with BYDAY selects the days that match
/// both. Dates that don't exist, such as 30 February, are skipped and not counted.
package struct RecurrenceRule: Hashable, Sendable {
    /// FREQ: the length of a period.
    package enum Frequency: String, CaseIterable, Sendable {
        case daily = "DAILY"
        case weekly = "WEEKLY"
        case monthly = "MONTHLY"
        case yearly = "YEARLY"
    }

    /// A value of BYDAY: a weekday, or one of a month.
    package struct WeekdayNumber: Hashable, Sendable {
        /// 1 to 5 from the month's first such weekday, -1 to -5 from its last; `nil` for every one.
        package let ordinal: Int?
        package let weekday: Weekday

        package init(_ weekday: Weekday, ordinal: Int? = nil) {
            self.ordinal = ordinal
            self.weekday = weekday
        }
    }

    /// The last occurrence.
    package enum End: Hashable, Sendable {
        /// The rule has neither COUNT nor UNTIL.
        case never
        /// COUNT: the number of dates that match the rule, excluded ones among them: 1 to `Limits.recurrenceCount`.
        case count(Int)
        /// UNTIL: the last possible date, in the schedule's time zone. The RFC requires a time in UTC where occurrences
        /// have a time; a date is allowed there too.
        case date(LocalDate)
        /// UNTIL: the last possible due time on the clock of the schedule's time zone, without seconds.
        case local(LocalDate, LocalTime)
        /// UNTIL: the last possible due time, in whole seconds, in the years 0 to 9999.
        case instant(Instant)
    }

    package let frequency: Frequency
    /// INTERVAL: 1 for every period, 2 for every second one, up to `Limits.recurrenceInterval`.
    package let interval: Int
    /// BYMONTH, in ascending order: 1 to 12. Empty without the part.
    package let months: [Int]
    /// BYMONTHDAY, in ascending order: 1 to 31, or -1 to -31 from the month's end. Empty without the part.
    package let monthDays: [Int]
    /// BYDAY, sorted by ordinal and weekday. Empty without the part.
    package let weekdays: [WeekdayNumber]
    /// BYSETPOS, in ascending order: which of a period's dates count, 1 to 366, or -1 to -366 from the last. Empty
    /// without the part.
    package let setPositions: [Int]
    package let end: End
    /// WKST: the first day of a week. It matters for WEEKLY with an interval above 1.
    package let weekStart: Weekday

    /// Creates a rule. Repeated values count once.
    /// - Throws: `invalidValue`, `conflict` or `requires` with the part.
    package init(
        _ frequency: Frequency, interval: Int = 1, months: [Int] = [], monthDays: [Int] = [],
        weekdays: [WeekdayNumber] = [], setPositions: [Int] = [], end: End = .never, weekStart: Weekday = .monday
    ) throws(RecurrenceRuleError) {
        self.frequency = frequency
        self.interval = interval
        self.months = Set(months).sorted()
        self.monthDays = Set(monthDays).sorted()
        self.weekdays = Set(weekdays).sorted()
        self.setPositions = Set(setPositions).sorted()
        self.end = end
        self.weekStart = weekStart
        try validateValues()
        try validateCombination()
    }

    private func validateValues() throws(RecurrenceRuleError) {
        guard (1...Limits.recurrenceInterval).contains(interval) else { throw .invalidValue(.interval) }
        guard months.allSatisfy((1...12).contains) else { throw .invalidValue(.byMonth) }
        guard monthDays.allSatisfy({ (1...31).contains($0.magnitude) }) else { throw .invalidValue(.byMonthDay) }
        guard weekdays.allSatisfy({ $0.ordinal.map { (1...5).contains($0.magnitude) } ?? true }) else {
            throw .invalidValue(.byDay)
        }
        guard setPositions.count <= Limits.recurrenceSetPositions,
            setPositions.allSatisfy({ (1...366).contains($0.magnitude) })
        else { throw .invalidValue(.bySetPosition) }
        switch end {
        case .never: break
        case .count(let count):
            guard (1...Limits.recurrenceCount).contains(count) else { throw .invalidValue(.count) }
        case .date(let date), .local(let date, _):
            guard LocalDate(date.text) == date else { throw .invalidValue(.until) }
        case .instant(let instant):
            guard instant.millisecondsSince1970 % 1_000 == 0, Instant(rfc3339: instant.rfc3339) == instant else {
                throw .invalidValue(.until)
            }
        }
    }

    private func validateCombination() throws(RecurrenceRuleError) {
        let isByMonthAllowed = frequency == .yearly
        guard isByMonthAllowed || months.isEmpty else { throw .conflict(.byMonth, with: .frequency) }
        let isByDayOfMonthAllowed = frequency == .monthly || frequency == .yearly
        guard isByDayOfMonthAllowed || monthDays.isEmpty else { throw .conflict(.byMonthDay, with: .frequency) }
        guard isByDayOfMonthAllowed || setPositions.isEmpty else { throw .conflict(.bySetPosition, with: .frequency) }
        switch frequency {
        case .daily:
            guard weekdays.isEmpty else { throw .conflict(.byDay, with: .frequency) }
        case .weekly:
            guard weekdays.allSatisfy({ $0.ordinal == nil }) else { throw .conflict(.byDay, with: .frequency) }
        case .monthly: break
        case .yearly:
            // Without BYMONTH, ordinals count within the year.
            guard weekdays.isEmpty || !months.isEmpty else { throw .requires(.byDay, other: .byMonth) }
        }
        guard setPositions.isEmpty || !weekdays.isEmpty || !monthDays.isEmpty else {
            throw .requires(.bySetPosition, other: .byDay)
        }
    }
}

extension RecurrenceRule.WeekdayNumber: Comparable {
    /// Orders by ordinal, where none counts as zero, then from Monday to Sunday.
    package static func < (left: Self, right: Self) -> Bool {
        (left.ordinal ?? 0, left.weekday) < (right.ordinal ?? 0, right.weekday)
    }
}
