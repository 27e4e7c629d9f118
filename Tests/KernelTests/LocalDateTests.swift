import Foundation
import Kernel
import Testing

@Suite("Local dates")
struct LocalDateTests {
    @Test(
        "A date is read and written as RFC 3339 has it",
        arguments: [
            ("1970-01-01", 0), ("1969-12-31", -1), ("2000-02-29", 11_016), ("2026-03-01", 20_513),
            ("0000-01-01", -719_528), ("0000-02-29", -719_469), ("9999-12-31", 2_932_896),
        ])
    func text(text: String, dayNumber: Int) throws {
        let date = try #require(LocalDate(text))
        #expect(date.dayNumber == dayNumber)
        #expect(date.text == text)
    }

    @Test(
        "Text other than an existing day is rejected",
        arguments: [
            "", "2026-02-29", "1900-02-29", "2026-04-31", "2026-13-01", "2026-00-01", "2026-01-00", "2026-1-1",
            "20260101", "2026-01-01T00:00:00Z", " 2026-01-01", "+026-01-01", "2026/01/01", "２026-01-01", "2026-01-0x",
        ])
    func refusal(text: String) {
        #expect(LocalDate(text) == nil)
    }

    @Test("Each day of 800 years follows the one before, as Foundation counts them")
    func everyDay() throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let first = try #require(LocalDate("1600-01-01"))
        let last = try #require(LocalDate("2400-01-01"))
        var expected = (year: 1600, month: 1, day: 1)
        for days in 0..<last.days(since: first) {
            let date = first.adding(days: days)
            #expect(date.yearMonthDay == expected)
            #expect(LocalDate(year: expected.year, month: expected.month, day: expected.day) == date)
            // Foundation is slow; two days of each month compare its calendar.
            if expected.day % 16 == 1 {
                let other = calendar.dateComponents(
                    [.year, .month, .day], from: Date(timeIntervalSince1970: Double(date.dayNumber) * 86_400))
                #expect(other.year == expected.year && other.month == expected.month && other.day == expected.day)
            }
            expected.day += 1
            if expected.day > LocalDate.dayCount(month: expected.month, of: expected.year) {
                expected = (expected.year, expected.month + 1, 1)
            }
            if expected.month > 12 { expected = (expected.year + 1, 1, 1) }
        }
    }

    @Test("A date outside the years 0 to 9999 has the text of the nearest date")
    func clamping() {
        #expect(LocalDate.last.adding(days: 1).text == "9999-12-31")
        #expect(LocalDate(dayNumber: -800_000).text == "0000-01-01")
    }

    @Test("Dates are ordered, and their difference is in days")
    func order() throws {
        let (earlier, later) = (try #require(LocalDate("2024-02-28")), try #require(LocalDate("2024-03-01")))
        #expect(earlier < later)
        #expect(later.days(since: earlier) == 2)
        #expect(earlier.adding(days: 2) == later)
        #expect(later.adding(days: -2) == earlier)
    }
}
