import Kernel
import WebCore

/// The formatter of numbers, distances and times in the client's language. Created once per response.
struct TrackingFormatter: Sendable {
    private static let metresPerKilometre = 1_000.0
    private static let secondsPerMinute = 60.0
    private static let secondsPerHour = 3_600.0
    private static let secondsPerDay = 86_400.0
    private static let degreeDigits = 5
    private static let degreeSteps = 100_000

    let units: UnitStrings
    let now: Instant

    /// Returns `340 m`, `1.2 km` or `12 km`.
    func distance(_ metres: Double) -> String {
        if metres.rounded() < Self.metresPerKilometre {
            return TrackingStrings.fill(units.metres, ["n": whole(metres)])
        }
        let kilometres = metres / Self.metresPerKilometre
        let tenths = (kilometres * 10).rounded()
        let number = tenths < 100 ? decimal(tenths: Int(tenths)) : whole(kilometres)
        return TrackingStrings.fill(units.kilometres, ["n": number])
    }

    /// Returns `±6 m`.
    func accuracy(_ metres: Double) -> String {
        TrackingStrings.fill(units.plusMinus, ["n": distance(metres)])
    }

    /// Returns `82 %`.
    func percent(_ value: Int) -> String {
        TrackingStrings.fill(units.percent, ["n": String(value)])
    }

    /// Returns the age in the words that the browser's script continues with: `now`, `4 min ago`, `3 hr ago`, `1 day
    /// ago`. An instant slightly in the future is `now`.
    func age(_ instant: Instant) -> String {
        let seconds = now.seconds(since: instant)
        if seconds < Self.secondsPerMinute { return units.now }
        if seconds < Self.secondsPerHour {
            return TrackingStrings.fill(units.minutesAgo, count: seconds / Self.secondsPerMinute)
        }
        if seconds < Self.secondsPerDay {
            return TrackingStrings.fill(units.hoursAgo, count: seconds / Self.secondsPerHour)
        }
        if seconds < 2 * Self.secondsPerDay { return units.dayAgo }
        return TrackingStrings.fill(units.daysAgo, count: seconds / Self.secondsPerDay)
    }

    /// Returns a duration: `4 min`, `3 hr`, `5 days`.
    func span(since instant: Instant) -> String {
        span(seconds: now.seconds(since: instant))
    }

    /// Returns a duration: `4 min`, `3 hr`, `5 days`; at least a minute.
    func span(seconds: Double) -> String {
        if seconds < Self.secondsPerHour {
            return TrackingStrings.fill(units.minutes, count: max(1, seconds / Self.secondsPerMinute))
        }
        if seconds < 2 * Self.secondsPerDay {
            return TrackingStrings.fill(units.hours, count: seconds / Self.secondsPerHour)
        }
        return TrackingStrings.fill(units.days, count: seconds / Self.secondsPerDay)
    }

    /// Returns degrees with five decimals, about a metre: `50.77535, 6.08389`.
    func place(_ coordinate: Coordinate) -> String {
        degrees(coordinate.latitude) + ", " + degrees(coordinate.longitude)
    }

    /// Returns the instant in UTC, for browsers without scripts: `2026-03-01 14:02 UTC`.
    func exact(_ instant: Instant, hasSeconds: Bool = false) -> String {
        let text = instant.rfc3339
        return text.prefix(10) + " " + text.dropFirst(11).prefix(hasSeconds ? 8 : 5) + " UTC"
    }

    private func degrees(_ value: Double) -> String {
        let scaled = Int((abs(value) * Double(Self.degreeSteps)).rounded())
        let fraction = String(scaled % Self.degreeSteps)
        let zeros = String(repeating: "0", count: Self.degreeDigits - fraction.count)
        return "\(value < 0 && scaled > 0 ? "-" : "")\(scaled / Self.degreeSteps).\(zeros)\(fraction)"
    }

    private func whole(_ value: Double) -> String { String(Int(value.rounded())) }

    private func decimal(tenths: Int) -> String { "\(tenths / 10)\(units.decimalSeparator)\(tenths % 10)" }
}

extension Moment {
    init(_ instant: Instant, _ formatter: TrackingFormatter) {
        machine = instant.rfc3339
        age = formatter.age(instant)
        exact = formatter.exact(instant)
    }
}

/// A formatted time.
struct Moment: Sendable {
    /// RFC 3339, for the `datetime` attribute.
    let machine: String
    /// The age of the time.
    let age: String
    /// Date and time in UTC.
    let exact: String
}
