import Kernel
import Testing

@testable import Recurrence

/// - Throws: `ExpectationFailedError` for text that isn't a date.
func date(_ text: String) throws -> LocalDate { try #require(LocalDate(text), "\(text)") }

/// Returns a schedule in New York with a rule as text, due at nine o'clock, as in the examples of RFC 5545.
func schedule(
    _ rule: String?, from start: String, at time: String? = "09:00", excluded: [String] = [],
    additional: [String] = [], in zone: String = "America/New_York"
) throws -> Schedule {
    try Schedule(
        start: date(start), dueTime: time.map { try #require(LocalTime($0)) },
        rule: rule.map { try RecurrenceRule(rfc5545: $0) },
        exceptions: ScheduleExceptions(
            excluded: Set(try excluded.map(date)), additional: Set(try additional.map(date))),
        timeZone: LocalTimeZone(zone))
}

extension Schedule {
    /// Returns the dates of the first occurrences, as many as a query returns at most.
    func dates(after date: LocalDate = LocalDate(dayNumber: -1_000_000), limit: Int = .max) -> [String] {
        occurrences(after: date, limit: limit).map(\.date.text)
    }
}

/// Returns dates from a short form: `1997-09: 2 9; 1997-10: 7` has three.
func dates(_ text: String) -> [String] {
    text.split(separator: ";").flatMap { month -> [String] in
        let sides = month.split(separator: ":").map { $0.split(whereSeparator: \.isWhitespace) }
        return sides[1].map { "\(sides[0][0])-\($0.count == 1 ? "0" : "")\($0)" }
    }
}
