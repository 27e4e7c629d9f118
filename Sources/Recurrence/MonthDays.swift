import Kernel

/// A set of days of one month. Bit 0 is the first day.
struct MonthDays {
    let first: LocalDate
    private let dayCount: Int
    private let firstWeekday: Weekday
    private(set) var bits: UInt32

    /// All days of a month (1 to 12).
    init(year: Int, month: Int) {
        first = LocalDate(dayNumber: LocalDate.dayNumber(year: year, month: month, day: 1))
        dayCount = LocalDate.dayCount(month: month, of: year)
        firstWeekday = first.weekday
        bits = (1 << UInt32(dayCount)) - 1
    }

    /// Removes the days that aren't among these: 1 to 31, or -1 to -31 from the month's end.
    mutating func formIntersection(monthDays: [Int]) {
        var selected: UInt32 = 0
        for day in monthDays {
            let index = day > 0 ? day - 1 : dayCount + day
            if index >= 0 { selected |= 1 << UInt32(index) }
        }
        bits &= selected
    }

    /// Removes the days that aren't among these weekdays of the month.
    mutating func formIntersection(weekdays: [RecurrenceRule.WeekdayNumber]) {
        var selected: UInt32 = 0
        for number in weekdays {
            let firstIndex = number.weekday.days(since: firstWeekday)
            guard let ordinal = number.ordinal else {
                for week in 0..<5 { selected |= 1 << UInt32(firstIndex + 7 * week) }
                continue
            }
            let lastIndex = firstIndex + (dayCount - 1 - firstIndex) / 7 * 7
            let index = ordinal > 0 ? firstIndex + 7 * (ordinal - 1) : lastIndex + 7 * (ordinal + 1)
            if index >= 0 { selected |= 1 << UInt32(index) }
        }
        bits &= selected
    }

    func append(to dates: inout [LocalDate]) {
        var rest = bits
        while rest != 0 {
            dates.append(first.adding(days: rest.trailingZeroBitCount))
            rest &= rest - 1
        }
    }
}
