package import Kernel
import Recurrence

/// The calendar of a reader: it divides time into the days of a time zone.
package struct DayCalendar: Sendable {
    private let zone: LocalTimeZone

    /// The zone's name.
    package var zoneName: String { zone.identifier }

    /// - Parameter name: The zone's name in the IANA database; UTC without a known one.
    package init(_ name: String?) {
        zone = name.flatMap { try? LocalTimeZone($0) } ?? .utc
    }

    /// Returns the date whose ``span(of:)`` contains the instant. Where clocks are set back over midnight, as in
    /// Newfoundland until 2011, they show the earlier date again for a while after the later one began.
    package func date(at instant: Instant) -> LocalDate {
        let date = zone.date(at: instant)
        let span = span(of: date)
        if instant < span.lowerBound { return date.adding(days: -1) }
        return instant < span.upperBound ? date : date.adding(days: 1)
    }

    /// Returns the first instant of a date and that of the next one.
    package func span(of date: LocalDate) -> Range<Instant> {
        span(from: date, to: date.adding(days: 1))
    }

    /// Returns the first instant of the month or year that begins with a date, and that of the next one.
    package func span(of unit: ItemPeriod.Unit, from first: LocalDate) -> Range<Instant> {
        span(from: first, to: first.next(unit))
    }

    private func span(from first: LocalDate, to end: LocalDate) -> Range<Instant> {
        let start = zone.instant(of: first, at: .midnight)
        return start..<max(start, zone.instant(of: end, at: .midnight))
    }

    /// Returns the time on the clock: `08:12`.
    package func time(at instant: Instant) -> String { zone.time(at: instant).text }
}

extension LocalDate {
    /// The first day of the same month.
    package var monthStart: LocalDate { adding(days: 1 - yearMonthDay.day) }

    /// The first day of the same month or year.
    func start(of unit: ItemPeriod.Unit) -> LocalDate {
        switch unit {
        case .month: monthStart
        case .year: LocalDate(String(text.prefix(4)) + "-01-01") ?? monthStart
        }
    }

    /// The first day of the next month or year, from the first day of one.
    func next(_ unit: ItemPeriod.Unit) -> LocalDate {
        switch unit {
        case .month: nextMonth
        // A year and some days.
        case .year: adding(days: 370).start(of: .year)
        }
    }

    /// The first day of the next month.
    private var nextMonth: LocalDate {
        let (year, month, day) = yearMonthDay
        return adding(days: Self.dayCount(month: month, of: year) - day + 1)
    }
}
