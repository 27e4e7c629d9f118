import Kernel
import WebCore

/// Formats points, dates and times in the reader's language. Create one for each response.
struct FamilyFormatter: Sendable {
    private static let secondsPerMinute = 60.0
    private static let secondsPerHour = 3_600.0
    private static let secondsPerDay = 86_400.0

    let now: Instant
    private let units: FamilyUnitStrings

    init(language: Language, now: Instant) {
        self.now = now
        units = FamilyStrings.of(language).units
    }

    /// `1 point`, `5 points`.
    func points(_ count: Int64) -> String {
        count == 1 ? units.onePoint : FamilyStrings.fill(units.points, ["n": number(count)])
    }

    /// `1,000,000`.
    func number(_ value: Int64) -> String {
        let digits = Array(String(value.magnitude))
        var text = value < 0 ? "-" : ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index) % 3 == 0 { text += units.groupSeparator }
            text.append(digit)
        }
        return text
    }

    /// Returns the time since an instant: `now`, `4 min ago`, `1 day ago`.
    func age(_ instant: Instant) -> String {
        let seconds = now.seconds(since: instant)
        if seconds < Self.secondsPerMinute { return units.now }
        if seconds < Self.secondsPerHour {
            return FamilyStrings.fill(units.minutesAgo, count: seconds / Self.secondsPerMinute)
        }
        if seconds < Self.secondsPerDay {
            return FamilyStrings.fill(units.hoursAgo, count: seconds / Self.secondsPerHour)
        }
        if seconds < 2 * Self.secondsPerDay { return units.dayAgo }
        return FamilyStrings.fill(units.daysAgo, count: seconds / Self.secondsPerDay)
    }

    /// `2026-03-01 14:02 UTC`, for browsers without script.
    func exact(_ instant: Instant) -> String {
        let text = instant.rfc3339
        return text.prefix(10) + " " + text.dropFirst(11).prefix(5) + " UTC"
    }

    /// `12 May 2017`, `12. Mai 2017`; a text that isn't a date is returned unchanged.
    func date(_ text: String) -> String {
        let parts = text.split(separator: "-").compactMap { Int($0) }
        guard parts.count == 3, units.months.indices.contains(parts[1] - 1) else { return text }
        return FamilyStrings.fill(
            units.date, ["day": String(parts[2]), "month": units.months[parts[1] - 1], "year": String(parts[0])])
    }
}

/// A formatted time.
struct FamilyMoment: Sendable {
    /// RFC 3339, for the `datetime` attribute.
    let machine: String
    /// The time since then.
    let age: String
    /// The date and the time in UTC.
    let exact: String

    init(_ instant: Instant, _ formatter: FamilyFormatter) {
        machine = instant.rfc3339
        age = formatter.age(instant)
        exact = formatter.exact(instant)
    }
}
