import Kernel
import Recurrence
import Storage

/// An occurrence of a chore for a child.
struct OccurrenceKey: Sendable, Hashable {
    let child: PersonID
    let chore: ID<Chore>
    let date: LocalDate

    /// Returns the occurrences for which assignments count.
    static func all(of assignments: [(child: PersonID, assignment: Assignment)]) -> Set<OccurrenceKey> {
        assignments.reduce(into: []) { keys, done in
            guard let chore = done.assignment.choreID, let date = done.assignment.occurrence else { return }
            keys.insert(OccurrenceKey(child: done.child, chore: chore, date: date))
        }
    }
}

/// Reads the schedules that matter now, and which occurrences are open, in the transaction of the caller. The cost
/// depends on the number of schedules and on ``Limits/overdueDays``, not on the history.
struct OccurrenceReader: Sendable {
    /// Returns the schedules of a household around the present date.
    /// - Parameter chores: `nil` for all chores of the household.
    func calendar(
        of household: ID<Household>, chores: [ID<Chore>]? = nil, now: Instant, in tx: Transaction
    ) throws -> HouseholdCalendar {
        let zone = try timeZone(of: household, in: tx)
        let today = zone.date(at: now)
        let first = today.adding(days: -Limits.overdueDays)
        let found = try ScheduleStore.applying(since: first, of: household, chores: chores, in: tx)
        // The overdue occurrences of a replaced schedule stay; those of a deleted one don't.
        let scheduled = Set(found.filter(\.isPresent).map(\.chore.id))
        let schedules = found.filter { scheduled.contains($0.chore.id) }
        return HouseholdCalendar(
            timeZone: zone, today: today, first: first, schedules: schedules,
            children: try ScheduleStore.children(of: schedules.map(\.id), in: tx))
    }

    /// Returns the household's time zone; UTC before a parent set one.
    func timeZone(of household: ID<Household>, in tx: Transaction) throws -> LocalTimeZone {
        let identifier = try ScheduleStore.timeZone(of: household, in: tx)
        // A stored zone that this version of the database doesn't have any more must not make the pages fail.
        if let identifier, let zone = try? LocalTimeZone(identifier) { return zone }
        return try LocalTimeZone("UTC")
    }

    /// Returns the occurrence for which an assignment or a request of a chore counts; `nil` if it has none.
    /// - Parameters:
    ///   - requested: the date that the client sent. Without one it is today's open occurrence, otherwise the latest
    ///     overdue one, so that an occurrence counts once wherever its points are given.
    ///   - taken: the occurrences that aren't open.
    /// - Throws: `AppError`: `conflict` at `field` if the requested date has no occurrence or isn't open.
    func date(
        requested: LocalDate?, of chore: ID<Chore>, for child: PersonID, in calendar: HouseholdCalendar,
        taken: Set<OccurrenceKey>, field: String
    ) throws -> LocalDate? {
        let dates = calendar.dates(of: chore, for: child)
        func isOpen(_ date: LocalDate) -> Bool {
            !taken.contains(OccurrenceKey(child: child, chore: chore, date: date))
        }
        guard let requested else { return dates.last(where: isOpen) }
        guard dates.contains(requested) else { throw AppError(.conflict, .occurrenceNotDue, field: field) }
        guard isOpen(requested) else { throw AppError(.conflict, .occurrenceDone, field: field) }
        return requested
    }

    /// Returns the occurrences of a child that are done, from the calendar's first date.
    func done(_ calendar: HouseholdCalendar, of children: [PersonID], in tx: Transaction) throws -> Set<OccurrenceKey> {
        guard !calendar.schedules.isEmpty else { return [] }
        return OccurrenceKey.all(of: try AssignmentStore.occurrences(of: children, since: calendar.first, in: tx))
    }
}

/// The schedules of a household from ``Limits/overdueDays`` ago.
struct HouseholdCalendar: Sendable {
    let timeZone: LocalTimeZone
    let today: LocalDate
    /// The first date whose occurrences can be open.
    let first: LocalDate
    /// The present schedules, and those that were replaced since `first`.
    let schedules: [StoredSchedule]
    let children: [ID<StoredSchedule>: [PersonID]]

    /// Returns the occurrences of one schedule up to today.
    func occurrences(of schedule: StoredSchedule) throws -> [Occurrence] {
        let start = max(first, schedule.appliesFrom)
        let end = min(today.adding(days: 1), schedule.appliesUntil)
        return start < end ? try expanded(schedule).occurrences(in: start..<end) : []
    }

    /// Returns the next occurrence of a present schedule after today.
    func next(of schedule: StoredSchedule) throws -> Occurrence? {
        guard schedule.isPresent else { return nil }
        let last = max(today, schedule.appliesFrom.adding(days: -1))
        return try expanded(schedule).occurrences(after: last, limit: 1).first
    }

    /// Returns the dates of a chore's occurrences for a child up to today, in ascending order.
    func dates(of chore: ID<Chore>, for child: PersonID) -> [LocalDate] {
        schedules.filter { $0.chore.id == chore && children[$0.id]?.contains(child) == true }
            .flatMap { (try? occurrences(of: $0)) ?? [] }.map(\.date).sorted()
    }

    private func expanded(_ schedule: StoredSchedule) throws -> Schedule {
        try Schedule(
            start: schedule.startsOn, dueTime: schedule.dueTime, rule: schedule.rule, timeZone: timeZone)
    }
}
