package import Kernel

extension Limits {
    /// The largest INTERVAL of a recurrence rule, in days, weeks, months or years.
    package static let recurrenceInterval = 999
    /// The largest COUNT of a recurrence rule. A schedule with COUNT iterates over its occurrences once.
    package static let recurrenceCount = 1_000
    /// Different values in BYSETPOS of a recurrence rule.
    package static let recurrenceSetPositions = 62
    /// UTF-8 bytes of a recurrence rule. The longest canonical text has fewer.
    package static let recurrenceRuleBytes = 1_000
    /// UTF-8 bytes of a recurrence rule with its properties, as another program writes it.
    package static let recurrenceTextBytes = 2_000
    /// Excluded dates (EXDATE) of a schedule.
    package static let scheduleExcludedDates = 500
    /// Additional dates (RDATE) of a schedule.
    package static let scheduleAdditionalDates = 500
    /// Occurrences of one query of a schedule: more than ten years of a daily chore.
    package static let scheduleOccurrences = 4_000
    /// UTF-8 bytes of a time zone's identifier; the longest of the IANA database has 32.
    package static let timeZoneBytes = 64
    /// Years of one time zone whose offsets are cached.
    static let timeZoneYears = 64
}
