/// Why a schedule is invalid.
package enum ScheduleError: Error, Hashable {
    /// The IANA database has no such time zone.
    case unknownTimeZone
    /// More than `Limits.scheduleExcludedDates`.
    case tooManyExcludedDates
    /// More than `Limits.scheduleAdditionalDates`.
    case tooManyAdditionalDates
}
