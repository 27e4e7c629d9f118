import Foundation
package import Kernel

/// A day of the Gregorian calendar on which a living person can have been born.
package struct BirthDate: Hashable, Sendable {
    /// `YYYY-MM-DD`.
    package let text: String

    private static let firstYear = 1900

    /// Parses `YYYY-MM-DD`. `nil` unless it is a calendar day from 1900-01-01 to the day (UTC) before that of `now`.
    package init?(_ typed: String, now: Instant) {
        let trimmed = typed.trimmingCharacters(in: .whitespaces)
        guard let date = LocalDate(trimmed), date.yearMonthDay.year >= Self.firstYear else { return nil }
        // RFC 3339 begins with the date, and its text sorts as the dates do.
        guard trimmed < now.rfc3339.prefix(10) else { return nil }
        text = trimmed
    }
}
