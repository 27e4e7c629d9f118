import Kernel
import WebCore

/// Formats money, weights and times for a reader. Created once per response.
struct CarrepsaFormatter: Sendable {
    private static let gramsPerKilogram: Int64 = 1_000
    private static let secondsPerMinute = 60.0
    private static let secondsPerHour = 3_600.0
    private static let secondsPerDay = 86_400.0
    fileprivate static let millisecondsPerDay: Int64 = 86_400_000
    // 1 January 1970 was a Thursday.
    private static let firstWeekday: Int64 = 4
    private static let exampleMinor: Int64 = 1_250

    let currency: Currency
    let language: Language
    let now: Instant
    private let units: CarrepsaUnitStrings

    init(currency: Currency, language: Language, now: Instant) {
        self.currency = currency
        self.language = language
        self.now = now
        units = CarrepsaStrings.of(language).units
    }

    /// Returns `€12.50` or `12,50 €`.
    func money(_ minor: Int64) -> String { currency.text(minor, language: language.rawValue) }

    /// Returns the amount with a plus sign if it is positive.
    func movement(_ minor: Int64) -> String { (minor > 0 ? "+" : "") + money(minor) }

    /// Returns the form that people type: `12.50` or `12,50`.
    func typed(_ minor: Int64) -> String { currency.decimal(minor).replacing(".", with: units.decimalSeparator) }

    /// The example of an amount in a form's hint.
    var example: String { typed(Self.exampleMinor) }

    /// The currency symbol beside a money field: `€` or `CHF`.
    var symbol: String {
        let text = money(0)
        return text.filter { !$0.isNumber && !$0.isWhitespace && $0 != "." && $0 != "," }
    }

    /// Returns `450 g` or `1.2 kg`.
    func weight(_ grams: Int64) -> String {
        if grams < Self.gramsPerKilogram { return CarrepsaStrings.fill(units.grams, ["n": String(grams)]) }
        return CarrepsaStrings.fill(units.kilograms, ["n": kilograms(grams)])
    }

    /// Returns `1.2`, the form that people type.
    func kilograms(_ grams: Int64) -> String {
        let rest = String(Self.gramsPerKilogram + grams % Self.gramsPerKilogram).dropFirst()
        var digits = Substring(rest)
        while digits.last == "0" { digits.removeLast() }
        let whole = String(grams / Self.gramsPerKilogram)
        return digits.isEmpty ? whole : whole + units.decimalSeparator + digits
    }

    /// Returns the age: `now`, `4 min ago`, `1 day ago`.
    func age(_ instant: Instant) -> String {
        let seconds = now.seconds(since: instant)
        if seconds < Self.secondsPerMinute { return units.now }
        if seconds < Self.secondsPerHour {
            return CarrepsaStrings.fill(units.minutesAgo, count: seconds / Self.secondsPerMinute)
        }
        if seconds < Self.secondsPerDay {
            return CarrepsaStrings.fill(units.hoursAgo, count: seconds / Self.secondsPerHour)
        }
        if seconds < 2 * Self.secondsPerDay { return units.dayAgo }
        return CarrepsaStrings.fill(units.daysAgo, count: seconds / Self.secondsPerDay)
    }

    /// Returns `Fri 27 Nov` in UTC, for browsers without JavaScript.
    func day(_ instant: Instant) -> String {
        let days = instant.millisecondsSince1970 / Self.millisecondsPerDay
        let parts = instant.rfc3339.prefix(10).split(separator: "-").compactMap { Int($0) }
        guard parts.count == 3, units.shortMonths.indices.contains(parts[1] - 1) else { return instant.rfc3339 }
        let weekday = Int((days + Self.firstWeekday) % 7)
        return CarrepsaStrings.fill(
            units.dayAndMonth,
            [
                "weekday": units.shortWeekdays.indices.contains(weekday) ? units.shortWeekdays[weekday] : "",
                "day": String(parts[2]), "month": units.shortMonths[parts[1] - 1],
            ]
        )
    }

    /// Returns `2026-03-01 14:02 UTC`, for browsers without JavaScript.
    func exact(_ instant: Instant) -> String {
        let text = instant.rfc3339
        return text.prefix(10) + " " + text.dropFirst(11).prefix(5) + " UTC"
    }

    /// Returns the last day before a time, in UTC.
    func lastDay(until end: Instant) -> String {
        day(Instant(millisecondsSince1970: end.millisecondsSince1970 - 1))
    }
}

/// The view model of a time.
struct CarrepsaMoment: Sendable {
    /// The time in RFC 3339, for the `datetime` attribute.
    let machine: String
    let age: String
    let exact: String
    let day: String

    init(_ instant: Instant, _ formatter: CarrepsaFormatter) {
        machine = instant.rfc3339
        age = formatter.age(instant)
        exact = formatter.exact(instant)
        day = formatter.day(instant)
    }

    /// Creates a deadline. One at midnight shows the day before.
    init(until end: Instant, _ formatter: CarrepsaFormatter) {
        machine = end.rfc3339
        age = formatter.age(end)
        day = formatter.lastDay(until: end)
        exact = end.millisecondsSince1970 % CarrepsaFormatter.millisecondsPerDay == 0 ? day : formatter.exact(end)
    }
}

/// Parses weights as people type them.
enum Kilograms {
    private static let decimals = 3

    /// Returns whole grams, 0 or more, from `1.2`, `1,25` or `3`; `nil` for anything else.
    static func grams(from text: String) -> Int64? {
        let trimmed = text.filter { !$0.isWhitespace }
        let halves = trimmed.split(omittingEmptySubsequences: false) { $0 == "." || $0 == "," }
        guard let whole = halves.first, halves.count <= 2, isNumber(whole) else { return nil }
        var digits = ""
        if halves.count == 2 {
            guard isNumber(halves[1]), halves[1].utf8.count <= decimals else { return nil }
            digits = String(halves[1])
        }
        return Int64(whole + digits + String(repeating: "0", count: decimals - digits.utf8.count))
    }

    private static func isNumber(_ text: Substring) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
}
