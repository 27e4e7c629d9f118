package import Kernel

/// Dates on which a schedule differs from its rule.
package struct ScheduleExceptions: Hashable, Sendable {
    /// EXDATE (RFC 5545, 3.8.5.1): dates without an occurrence, also where `additional` contains them.
    package let excluded: Set<LocalDate>
    /// RDATE (RFC 5545, 3.8.5.2) in ascending order: dates with an occurrence, also before the start and after the
    /// rule's end.
    package let additional: [LocalDate]

    package static let none = ScheduleExceptions()

    private init() { (excluded, additional) = ([], []) }

    /// - Throws: `tooManyExcludedDates` or `tooManyAdditionalDates`.
    package init(excluded: Set<LocalDate> = [], additional: Set<LocalDate> = []) throws(ScheduleError) {
        guard excluded.count <= Limits.scheduleExcludedDates else { throw .tooManyExcludedDates }
        guard additional.count <= Limits.scheduleAdditionalDates else { throw .tooManyAdditionalDates }
        self.excluded = excluded
        self.additional = additional.sorted()
    }
}
