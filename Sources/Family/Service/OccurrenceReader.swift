import Kernel
import Recurrence
import Storage

/// An occurrence of a chore for a child.
struct OccurrenceKey: Sendable, Hashable {
    let child: PersonID
    let chore: ID<Chore>
    let date: LocalDate

    static func read(_ row: Row) throws -> OccurrenceKey {
        OccurrenceKey(
            child: try row.get("child_id"), chore: try row.get("chore_id"),
            date: try row.localDate("occurrence_date"))
    }

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
    /// - Parameter chores: `nil` for all chores of the household. Turns are decided for all of them in any case.
    func calendar(
        of household: ID<Household>, chores: [ID<Chore>]? = nil, now: Instant, in tx: Transaction
    ) throws -> HouseholdCalendar {
        let zone = try timeZone(of: household, in: tx)
        let today = zone.date(at: now)
        let first = today.adding(days: -Limits.overdueDays)
        let schedules = try self.schedules(since: first, of: household, chores: chores, in: tx)
        // The turns of a date are spread over the children, so those of one chore depend on those of the others.
        let hasRotation = schedules.contains { $0.distribution.isRotation }
        let rotating =
            try hasRotation && chores != nil
            ? self.schedules(since: first, of: household, in: tx) : schedules
        let all = schedules + rotating.filter { other in !schedules.contains { $0.id == other.id } }
        // A rotation looks back further: a pause of then mustn't become turns.
        let pausesSince = hasRotation ? today.adding(days: -Limits.rotationDays) : first
        let pauses = try schedules.isEmpty ? [] : PauseStore.pauses(of: household, since: pausesSince, in: tx)
        let (children, ids) = (
            try ScheduleStore.children(of: all.map(\.id), in: tx), Array(Set(all.map(\.chore.id)))
        )
        func calendar(_ plan: TurnPlan, _ newTurns: [Turn] = []) throws -> HouseholdCalendar {
            HouseholdCalendar(
                timeZone: zone, today: today, schedules: schedules,
                rotating: rotating.filter(\.distribution.isRotation), children: children, pauses: pauses,
                skips: try SkipStore.dates(of: ids, in: tx), plan: plan, newTurns: newTurns)
        }
        let stored = try TurnStore.turns(of: ids, since: first, in: tx)
        let plain = try calendar(TurnPlan(turns: stored, pauses: pauses))
        return hasRotation ? try decideTurns(rotating, stored, plain, in: tx, calendar) : plain
    }

    /// Returns the present schedules, and those of the same chores that were replaced since a date.
    private func schedules(
        since first: LocalDate, of household: ID<Household>, chores: [ID<Chore>]? = nil, in tx: Transaction
    ) throws -> [StoredSchedule] {
        let found = try ScheduleStore.applying(since: first, of: household, chores: chores, in: tx)
        // The overdue occurrences of a replaced schedule stay; those of a deleted one don't.
        let scheduled = Set(found.filter(\.isPresent).map(\.chore.id))
        return found.filter { scheduled.contains($0.chore.id) }
    }

    /// Decides the turns that aren't stored, up to today. They follow from the stored ones, so that they stay the same
    /// until a change stores them.
    private func decideTurns(
        _ schedules: [StoredSchedule], _ stored: [Turn], _ calendar: HouseholdCalendar, in tx: Transaction,
        _ result: (TurnPlan, [Turn]) throws -> HouseholdCalendar
    ) throws -> HouseholdCalendar {
        let rotating = schedules.filter(\.distribution.isRotation)
        var states: [ID<Chore>: Rotation.State] = [:]
        var kinds: [ID<Chore>: ChoreDistribution] = [:]
        var occurrences: [TurnPlan.Occurrence] = []
        for schedule in rotating {
            let chore = schedule.chore.id
            if kinds[chore] == nil || schedule.isPresent { kinds[chore] = schedule.distribution }
            let count = calendar.children[schedule.id]?.count ?? 0
            let last = try TurnStore.last(of: chore, before: calendar.first, limit: count + 1, in: tx)
            states[chore] = Rotation.State(last)
            let start = max(
                calendar.today.adding(days: -Limits.rotationDays),
                last.first?.date.adding(days: 1) ?? schedule.appliesFrom)
            // A skipped date keeps its turn, so that the turns of the other dates and chores stay.
            occurrences += try calendar.occurrences(of: schedule, since: start, hasSkips: false).map {
                calendar.occurrence(of: schedule, on: $0.date)
            }
        }
        let known = Set(stored.map(\.key))
        let children = occurrences.filter { occurrence in
            let key = ChoreDate(chore: occurrence.chore, date: occurrence.date)
            return occurrence.distribution == .points && !known.contains(key)
        }.flatMap(\.children)
        var plan = TurnPlan(
            turns: stored, states: states, kinds: kinds,
            points: try recentPoints(of: Set(children).sorted(), calendar, in: tx), pauses: calendar.pauses)
        let newTurns = plan.decide(occurrences)
        return try result(plan, newTurns)
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
    ///     overdue one, otherwise the next one if it can be done in advance, so that an occurrence counts once wherever
    ///     its points are given.
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
        guard let requested else {
            return try dates.last(where: isOpen)
                ?? calendar.earlyDate(of: chore, for: child).flatMap { isOpen($0) ? $0 : nil }
        }
        let isDue = try dates.contains(requested) || calendar.earlyDate(of: chore, for: child) == requested
        guard isDue else { throw try calendar.refusal(of: chore, on: requested, for: child, field: field) }
        guard isOpen(requested) else { throw AppError(.conflict, .occurrenceDone, field: field) }
        return requested
    }

    /// Returns the occurrences of a child that are done, from the calendar's first date.
    func done(_ calendar: HouseholdCalendar, of children: [PersonID], in tx: Transaction) throws -> Set<OccurrenceKey> {
        guard !calendar.schedules.isEmpty else { return [] }
        return OccurrenceKey.all(of: try AssignmentStore.occurrences(of: children, since: calendar.first, in: tx))
    }
}
