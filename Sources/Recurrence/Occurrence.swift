package import Kernel

/// One date of a schedule.
package struct Occurrence: Hashable, Sendable {
    /// The date in the schedule's time zone.
    package let date: LocalDate
    /// When it is due: at the due time, or without one at the end of the day, which is the beginning of the next day.
    package let due: Instant

    /// The date as text, `2026-03-01`. A schedule has at most one occurrence on a date, so an occurrence that is
    /// completed is stored by this key. It stays the same when the due time, the time zone or its rules change.
    package var key: String { date.text }
}
