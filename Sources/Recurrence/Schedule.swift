package import Kernel

/// When something is due: once, or repeatedly by a rule, with exceptions, in the local time of a time zone.
///
/// The dates are those of the recurrence set of RFC 5545 (3.8.5.3), with two clarifications where the RFC leaves the
/// result undefined or open: the start is an occurrence only if it matches the rule, and COUNT counts only dates that
/// match the rule, from the start, before exceptions. The time on the clock stays the same when clocks change (3.3.10):
/// see `LocalTimeZone.instant(of:at:)` for times that don't exist or occur twice. These are the results of
/// python-dateutil with zoneinfo.
package struct Schedule: Hashable, Sendable {
    /// The first possible date of the rule; without a rule the only one.
    package let start: LocalDate
    /// `nil` for the whole day.
    package let dueTime: LocalTime?
    /// `nil` for once.
    package let rule: RecurrenceRule?
    package let exceptions: ScheduleExceptions
    package let timeZone: LocalTimeZone

    /// The last date of the rule that COUNT or UNTIL allow; before the start if there is none.
    private let lastRuleDate: LocalDate

    /// With COUNT, this iterates over the rule's occurrences, at most `Limits.recurrenceCount`. Without a due time, a
    /// time in UNTIL is compared with the beginning of a date, as other programs write it for a whole day.
    package init(
        start: LocalDate, dueTime: LocalTime? = nil, rule: RecurrenceRule? = nil,
        exceptions: ScheduleExceptions = .none, timeZone: LocalTimeZone
    ) {
        self.start = start
        self.dueTime = dueTime
        self.rule = rule
        self.exceptions = exceptions
        self.timeZone = timeZone
        switch rule?.end {
        case nil: lastRuleDate = start
        case .never: lastRuleDate = .last
        case .date(let date): lastRuleDate = date
        case .local(let date, let time):
            lastRuleDate = (dueTime ?? .midnight) <= time ? date : date.adding(days: -1)
        case .count(let count): lastRuleDate = Self.date(number: count, of: rule, from: start)
        case .instant(let instant):
            lastRuleDate = Self.lastDate(until: instant, at: dueTime ?? .midnight, in: timeZone)
        }
    }

    /// Returns the first occurrences after a date, in ascending order: at most `limit` and at most
    /// `Limits.scheduleOccurrences`. The cost depends on the number of occurrences, not on the time since the start.
    package func occurrences(after date: LocalDate, limit: Int) -> [Occurrence] {
        occurrences(from: date.adding(days: 1), through: .last, limit: limit)
    }

    /// Returns the occurrences in a range of dates, in ascending order: at most `Limits.scheduleOccurrences`. The cost
    /// depends on the length of the range, not on the time since the start.
    package func occurrences(in range: Range<LocalDate>) -> [Occurrence] {
        occurrences(
            from: range.lowerBound, through: range.upperBound.adding(days: -1), limit: Limits.scheduleOccurrences)
    }

    /// Returns the occurrence with this key (`Occurrence.key`); `nil` if the schedule has none.
    package func occurrence(key: String) -> Occurrence? {
        LocalDate(key).flatMap { occurrences(from: $0, through: $0, limit: 1).first }
    }

    private func occurrences(from first: LocalDate, through last: LocalDate, limit: Int) -> [Occurrence] {
        var dates = ScheduleDates(self, lastRuleDate: lastRuleDate, from: first, through: last)
        var due = DueTimes(self)
        var found: [Occurrence] = []
        while found.count < min(limit, Limits.scheduleOccurrences), let date = dates.next() {
            found.append(Occurrence(date: date, due: due.instant(on: date)))
        }
        return found
    }

    /// Returns the `number`-th date of a rule, or the last one if there are fewer.
    private static func date(number: Int, of rule: RecurrenceRule?, from start: LocalDate) -> LocalDate {
        var last = start.adding(days: -1)
        guard let rule else { return last }
        var dates = RuleDates(RulePeriods(rule, start: start), start: start, from: start, through: .last)
        for _ in 0..<number {
            guard let date = dates.next() else { break }
            last = date
        }
        return last
    }

    /// Returns the last date on which the time isn't after the instant.
    private static func lastDate(until: Instant, at time: LocalTime, in timeZone: LocalTimeZone) -> LocalDate {
        // Times of a date that the zone left out are those of the next date, so the date can be off by one either way.
        let date = timeZone.date(at: until)
        let candidates = [1, 0, -1].map(date.adding(days:))
        return candidates.first { timeZone.instant(of: $0, at: time) <= until } ?? date.adding(days: -2)
    }
}

/// The due instants of a schedule's dates. Keeps the offsets of a year, because dates come in order.
private struct DueTimes {
    private let timeZone: LocalTimeZone
    private let time: LocalTime
    /// Days from the date of an occurrence to that on which it is due.
    private let days: Int
    private var offsets: ZoneOffsets?

    init(_ schedule: Schedule) {
        timeZone = schedule.timeZone
        time = schedule.dueTime ?? .midnight
        days = schedule.dueTime == nil ? 1 : 0
    }

    mutating func instant(on date: LocalDate) -> Instant {
        let dueDate = date.adding(days: days)
        if let offsets, offsets.days.contains(dueDate.dayNumber) { return offsets.instant(of: dueDate, at: time) }
        let offsets = timeZone.offsets(on: dueDate)
        self.offsets = offsets
        return offsets.instant(of: dueDate, at: time)
    }
}
