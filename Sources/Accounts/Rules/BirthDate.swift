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
        let parts = trimmed.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, parts.map(\.utf8.count) == [4, 2, 2],
            trimmed.utf8.allSatisfy({ $0 == UInt8(ascii: "-") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            ),
            let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2])
        else { return nil }
        guard year >= Self.firstYear, (1...12).contains(month), day >= 1 else { return nil }
        guard day <= Self.days(ofMonth: month, year: year) else { return nil }
        // RFC 3339 begins with the date, and its text sorts as the dates do.
        guard trimmed < now.rfc3339.prefix(10) else { return nil }
        text = trimmed
    }

    private static func days(ofMonth month: Int, year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}
