/// Why a schedule is invalid.
package enum ScheduleError: Error, Hashable {
    /// The IANA database has no such time zone.
    case unknownTimeZone
    /// More than `Limits.scheduleExcludedDates`.
    case tooManyExcludedDates
    /// More than `Limits.scheduleAdditionalDates`.
    case tooManyAdditionalDates
    /// UNTIL is a time, but the schedule has no due time (RFC 5545, 3.3.10: both are dates, or both have a time).
    case untilNeedsDueTime
}
