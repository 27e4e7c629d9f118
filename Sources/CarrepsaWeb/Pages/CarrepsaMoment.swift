import Kernel
import WebCore

/// The view model of a time.
struct CarrepsaMoment: Sendable {
    private static let millisecondsPerDay: Int64 = 86_400_000

    /// The time in RFC 3339, for the `datetime` attribute.
    let machine: String
    let age: String
    let exact: String
    let day: String

    init(_ instant: Instant, _ formatter: CarrepsaFormatter) {
        machine = instant.rfc3339
        age = formatter.times.age(instant)
        exact = formatter.times.exact(instant)
        day = formatter.times.day(instant)
    }

    /// Creates a deadline. One at midnight shows the day before.
    init(until end: Instant, _ formatter: CarrepsaFormatter) {
        machine = end.rfc3339
        age = formatter.times.age(end)
        day = formatter.times.lastDay(until: end)
        exact = end.millisecondsSince1970 % Self.millisecondsPerDay == 0 ? day : formatter.times.exact(end)
    }
}
