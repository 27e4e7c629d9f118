package import Kernel

/// Formats times in the reader's language, as of one response.
package struct TimeFormatter: Sendable {
    private static let secondsPerMinute = 60.0
    private static let secondsPerHour = 3_600.0
    private static let secondsPerDay = 86_400.0
    private static let millisecondsPerDay: Int64 = 86_400_000
    // 1 January 1970 was a Thursday.
    private static let firstWeekday: Int64 = 4

    private let t: Translator
    private let now: Instant

    package init(_ t: Translator, now: Instant) {
        self.t = t
        self.now = now
    }

    /// Returns the age in the words that the browser's script continues with: `now`, `4 min ago`, `1 day ago`. A time
    /// slightly in the future is `now`.
    package func age(_ instant: Instant) -> String {
        let seconds = now.seconds(since: instant)
        if seconds < Self.secondsPerMinute { return t("now") }
        if seconds < Self.secondsPerHour {
            return t("{n}\u{a0}min ago", ["n": String(Int(seconds / Self.secondsPerMinute))])
        }
        if seconds < Self.secondsPerDay {
            return t("{n}\u{a0}hr ago", ["n": String(Int(seconds / Self.secondsPerHour))])
        }
        return t("{n}\u{a0}day ago", plural: "{n}\u{a0}days ago", count: Int(seconds / Self.secondsPerDay))
    }

    /// Returns `Fri 27 Nov` in UTC, for browsers without JavaScript.
    package func day(_ instant: Instant) -> String {
        let parts = instant.rfc3339.prefix(10).split(separator: "-").compactMap { Int($0) }
        let weekday = (instant.millisecondsSince1970 / Self.millisecondsPerDay + Self.firstWeekday) % 7
        guard parts.count == 3, let month = month(parts[1]), let weekday = self.weekday(weekday) else {
            return instant.rfc3339
        }
        return t("{weekday} {day} {month}", ["weekday": weekday, "day": String(parts[2]), "month": month])
    }

    /// Returns `Fri 27 Nov`.
    package func day(_ date: LocalDate) -> String {
        day(Instant(millisecondsSince1970: Int64(date.dayNumber) * Self.millisecondsPerDay))
    }

    private func month(_ number: Int) -> String? {
        switch number {
        case 1: t("Jan")
        case 2: t("Feb")
        case 3: t("Mar")
        case 4: t("Apr")
        case 5: t("May", context: "abbreviated")
        case 6: t("Jun")
        case 7: t("Jul")
        case 8: t("Aug")
        case 9: t("Sep")
        case 10: t("Oct")
        case 11: t("Nov")
        case 12: t("Dec")
        default: nil
        }
    }

    /// - Parameter number: 0 for Sunday.
    private func weekday(_ number: Int64) -> String? {
        switch number {
        case 0: t("Sun")
        case 1: t("Mon")
        case 2: t("Tue")
        case 3: t("Wed")
        case 4: t("Thu")
        case 5: t("Fri")
        case 6: t("Sat")
        default: nil
        }
    }

    /// Returns the last day before a time, in UTC.
    package func lastDay(until end: Instant) -> String {
        day(Instant(millisecondsSince1970: end.millisecondsSince1970 - 1))
    }

    /// Returns `2026-03-01 14:02 UTC`, for browsers without JavaScript.
    package func exact(_ instant: Instant, hasSeconds: Bool = false) -> String {
        let text = instant.rfc3339
        return text.prefix(10) + " " + text.dropFirst(11).prefix(hasSeconds ? 8 : 5) + " UTC"
    }
}
