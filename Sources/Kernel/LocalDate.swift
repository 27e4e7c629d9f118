/// A day of the proleptic Gregorian calendar, without a time of day and without a time zone.
package struct LocalDate: Hashable, Comparable, Sendable {
    /// Days since 1970-01-01; negative before it.
    package let dayNumber: Int

    /// The last day with a text: 9999-12-31.
    package static let last = LocalDate(dayNumber: 2_932_896)

    package init(dayNumber: Int) { self.dayNumber = dayNumber }

    /// Returns `nil` unless the day exists, in the years 0 to 9999.
    package init?(year: Int, month: Int, day: Int) {
        guard (0...9_999).contains(year), (1...12).contains(month),
            (1...Self.dayCount(month: month, of: year)).contains(day)
        else { return nil }
        dayNumber = Self.dayNumber(year: year, month: month, day: day)
    }

    /// Parses an RFC 3339 full-date (5.6), `2026-03-01`; returns `nil` for anything else.
    package init?(_ text: some StringProtocol) {
        let bytes = Array(text.utf8)
        guard bytes.count == 10, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
            let year = Self.number(bytes[0..<4]), let month = Self.number(bytes[5..<7]),
            let day = Self.number(bytes[8..<10])
        else { return nil }
        self.init(year: year, month: month, day: day)
    }

    /// The RFC 3339 full-date (5.6): `2026-03-01`. Clamped to the years 0000 to 9999, the range of the format.
    package var text: String {
        let shown = Self(dayNumber: min(max(dayNumber, Self.firstDayNumber), Self.last.dayNumber)).yearMonthDay
        return String(unsafeUninitializedCapacity: 10) { buffer in
            var end = 0
            func put(_ value: Int, digits: Int) {
                var rest = value
                for index in (0..<digits).reversed() {
                    buffer[end + index] = UInt8(ascii: "0") + UInt8(rest % 10)
                    rest /= 10
                }
                end += digits
            }
            func putHyphen() {
                buffer[end] = UInt8(ascii: "-")
                end += 1
            }
            put(shown.year, digits: 4)
            putHyphen()
            put(shown.month, digits: 2)
            putHyphen()
            put(shown.day, digits: 2)
            return end
        }
    }

    /// Returns the date `days` later, earlier where negative.
    package func adding(days: Int) -> LocalDate { LocalDate(dayNumber: dayNumber + days) }

    /// Returns the days from `earlier` to this date; negative when this date is earlier.
    package func days(since earlier: LocalDate) -> Int { dayNumber - earlier.dayNumber }

    /// Orders by time.
    package static func < (left: Self, right: Self) -> Bool { left.dayNumber < right.dayNumber }

    /// Returns the number of days of a month (1 to 12) in a year: 28 to 31.
    package static func dayCount(month: Int, of year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        var number = 0
        for byte in digits {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
            number = number * 10 + Int(byte - UInt8(ascii: "0"))
        }
        return number
    }

    // MARK: Day numbers

    // Counts days in eras of 400 years that begin in March, so that the leap day is the last day of its year.
    private static let daysPerEra = 146_097
    private static let daysFromYear0ToEpoch = 719_468
    /// 0000-01-01.
    private static let firstDayNumber = -719_528

    /// Returns the day number of a day that exists.
    package static func dayNumber(year: Int, month: Int, day: Int) -> Int {
        let marchYear = month > 2 ? year : year - 1
        let yearOfEra = floorRemainder(marchYear, 400)
        let era = (marchYear - yearOfEra) / 400
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * daysPerEra + dayOfEra - daysFromYear0ToEpoch
    }

    /// The year, the month from 1 to 12, and the day from 1 to 31.
    package var yearMonthDay: (year: Int, month: Int, day: Int) {
        let shifted = dayNumber + Self.daysFromYear0ToEpoch
        let dayOfEra = Self.floorRemainder(shifted, Self.daysPerEra)
        let era = (shifted - dayOfEra) / Self.daysPerEra
        let leapDays = dayOfEra / 1_460 - dayOfEra / 36_524 + dayOfEra / 146_096
        let yearOfEra = (dayOfEra - leapDays) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }

    private static func floorRemainder(_ number: Int, _ divisor: Int) -> Int {
        let remainder = number % divisor
        return remainder < 0 ? remainder + divisor : remainder
    }
}
