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
        // A rotation looks back further: a pause of then mustn't become turns.
        let hasRotation = schedules.contains { $0.distribution.isRotation }
        let pausesSince = hasRotation ? today.adding(days: -Limits.rotationDays) : first
        var calendar = HouseholdCalendar(
            timeZone: zone, today: today, first: first, schedules: schedules,
            children: try ScheduleStore.children(of: schedules.map(\.id), in: tx),
            pauses: schedules.isEmpty ? [] : try PauseStore.pauses(of: household, since: pausesSince, in: tx),
            skips: try SkipStore.dates(of: Array(scheduled), in: tx),
            turns: try TurnStore.turns(of: Array(scheduled), since: first, in: tx))
        for schedule in schedules where schedule.distribution.isRotation {
            try decideTurns(of: schedule, &calendar, in: tx)
        }
        return calendar
    }

    /// Adds the turns that aren't stored, up to today. They follow from the stored ones, so that they stay the same
    /// until a change stores them.
    private func decideTurns(
        of schedule: StoredSchedule, _ calendar: inout HouseholdCalendar, in tx: Transaction
    ) throws {
        let chore = schedule.chore.id
        let before = try TurnStore.last(of: chore, before: calendar.first, in: tx)
        let start = max(
            calendar.today.adding(days: -Limits.rotationDays), before?.date.adding(days: 1) ?? schedule.appliesFrom)
        // A skipped date keeps its turn, so that the turns of the other dates stay.
        let occurrences = try calendar.occurrences(of: schedule, since: start, hasSkips: false).map(\.date)
        guard occurrences.contains(where: { calendar.turns[ChoreDate(chore: chore, date: $0)] == nil }) else { return }
        let children = calendar.children[schedule.id] ?? []
        var points = try schedule.distribution == .points ? recentPoints(of: children, calendar, in: tx) : [:]
        // Also those of the schedule before this one, from the last to the first.
        var known = calendar.turns.values.filter { $0.choreID == chore && $0.rotationChildID != nil }
            .sorted { $0.date > $1.date }
        var previous = before?.rotationChildID
        for date in occurrences {
            while known.last.map({ $0.date <= date }) == true { previous = known.removeLast().rotationChildID }
            if calendar.turns[ChoreDate(chore: chore, date: date)] != nil { continue }
            let isPaused = { calendar.isPaused($0, on: date) }
            let child =
                schedule.distribution == .points
                ? Rotation.fewest(points: points, after: previous, of: children, isPaused: isPaused)
                : Rotation.next(after: previous, of: children, isPaused: isPaused)
            guard let child else { continue }
            previous = child
            // Several that are decided together don't all go to the same child.
            points[child, default: 0] += Limits.chorePoints.lowerBound
            calendar.add(Turn(choreID: chore, date: date, childID: child, rotationChildID: child))
        }
    }

    private func recentPoints(
        of children: [PersonID], _ calendar: HouseholdCalendar, in tx: Transaction
    ) throws -> [PersonID: Int64] {
        let first = calendar.today.adding(days: -Limits.rotationPointsDays)
        return try AssignmentStore.points(
            of: children, since: calendar.timeZone.instant(of: first, at: .midnight), in: tx)
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
        guard dates.contains(requested) else {
            let turn = calendar.turns[ChoreDate(chore: chore, date: requested)]
            let isOthers = turn.map { $0.childID != child } ?? false
            throw AppError(.conflict, isOthers ? .occurrenceTaken : .occurrenceNotDue, field: field)
        }
        guard isOpen(requested) else { throw AppError(.conflict, .occurrenceDone, field: field) }
        return requested
    }

    /// Returns the occurrences of a child that are done, from the calendar's first date.
    func done(_ calendar: HouseholdCalendar, of children: [PersonID], in tx: Transaction) throws -> Set<OccurrenceKey> {
        guard !calendar.schedules.isEmpty else { return [] }
        return OccurrenceKey.all(of: try AssignmentStore.occurrences(of: children, since: calendar.first, in: tx))
    }
}
