import Kernel
import WebCore

/// The end of a period as templates print it. An end at midnight shows the day before.
struct FormattedDeadline: Sendable {
    private static let millisecondsPerDay: Int64 = 86_400_000

    /// RFC 3339, for the `datetime` attribute.
    let machine: String
    /// The last day of the period.
    let day: String
    /// The last day, or the date and the time in UTC of an end that isn't at midnight.
    let exact: String

    init(_ end: Instant, _ formatter: TimeFormatter) {
        machine = end.rfc3339
        day = formatter.lastDay(until: end)
        exact = end.millisecondsSince1970 % Self.millisecondsPerDay == 0 ? day : formatter.exact(end)
    }
}
