/// The parts of a rule that select its dates, while its text is read.
struct RuleSelection {
    var frequency: RecurrenceRule.Frequency
    var months: [Int]
    var monthDays: [Int]
    var weekdays: [RecurrenceRule.WeekdayNumber]

    private static let allDays = Array(1...31)

    /// Rewrites a rule of every day, week or month that BYMONTH, BYMONTHDAY or BYDAY limit (RFC 5545, 3.3.10) as the
    /// rule of a longer period with the same dates. Other programs write `FREQ=DAILY;BYDAY=MO,TU,WE,TH,FR`. The
    /// interval is 1.
    mutating func widen(hasSetPositions: Bool) {
        let hasOrdinals = weekdays.contains { $0.ordinal != nil }
        switch frequency {
        case .daily where !hasOrdinals && !hasSetPositions: widenDays()
        case .weekly
        where !months.isEmpty && !weekdays.isEmpty && monthDays.isEmpty && !hasOrdinals && !hasSetPositions:
            frequency = .yearly
        case .monthly where !months.isEmpty && (!hasSetPositions || Set(months).count == 1):
            frequency = .yearly
        case .yearly where months.isEmpty && !weekdays.isEmpty && !hasOrdinals && !hasSetPositions:
            frequency = monthDays.isEmpty ? .weekly : .monthly
        case .daily, .weekly, .monthly, .yearly: break
        }
    }

    private mutating func widenDays() {
        if !months.isEmpty {
            frequency = .yearly
            if monthDays.isEmpty, weekdays.isEmpty { monthDays = Self.allDays }
        } else if !monthDays.isEmpty {
            frequency = .monthly
        } else if !weekdays.isEmpty {
            frequency = .weekly
        }
    }
}
