package import Accounts
package import Kernel
import Recurrence
import Storage

/// The dates of schedules that parents skip: on them, a chore isn't due.
package struct SkipService: Sendable {
    let transactions: HouseholdTransactions
    let occurrences: OccurrenceReader
    let planner: ReminderPlanner
    let notifier: ChildNotifier
    let clock: any WallClock

    /// Skips a date of a chore. The turns of the other dates stay. The children who had the chore on it are notified.
    /// Skipping it again changes nothing.
    /// - Parameter date: the date of an occurrence, `2026-03-01`, at most ``Limits/overdueDays`` ago.
    /// - Throws: `AppError`: `notFound`; `forbidden` for a child; `conflict` at `date` if the chore isn't due then, is
    ///   done, or waits for a parent, and for more than ``Limits/skipsPerChore`` dates.
    package func skip(_ chore: ID<Chore>, on date: String, by change: Change) async throws {
        try await set(chore, date, by: change) { tx, key, calendar, household, _ in
            guard calendar.skips[key.chore]?.contains(key.date) != true else { return nil }
            guard let schedule = Self.schedule(of: key, calendar), key.date >= calendar.first,
                try calendar.expanded(schedule).occurrences(in: key.date..<key.date.adding(days: 1)).count == 1
            else { throw AppError(.conflict, .occurrenceNotDue, field: "date") }
            let children = try HouseholdStore.allChildren(of: household, in: tx)
            let requested = try RequestStore.occurrences(of: [key.chore], in: tx)
            let done = try OccurrenceKey.all(
                of: AssignmentStore.occurrences(of: children, since: calendar.first, in: tx))
            guard !done.union(requested).contains(where: { $0.chore == key.chore && $0.date == key.date }) else {
                throw AppError(.conflict, .occurrenceDone, field: "date")
            }
            let doing = try Self.children(of: schedule, on: key.date, calendar)
            try SkipStore.deleteAll(
                of: key.chore, before: calendar.today.adding(days: -Limits.rotationDays), in: tx)
            guard try SkipStore.dates(of: [key.chore], in: tx)[key.chore]?.count ?? 0 < Limits.skipsPerChore else {
                throw AppError(.conflict, .tooManySkips)
            }
            try SkipStore.insert(key, in: tx)
            return (.choreSkipped, doing)
        }
    }

    /// Makes a chore due again on a date that was skipped. The children who have it on it are notified.
    /// - Throws: `AppError`: `notFound`, also if the date isn't skipped; `forbidden` for a child.
    package func restore(_ chore: ID<Chore>, on date: String, by change: Change) async throws {
        let occurrences = occurrences
        try await set(chore, date, by: change) { tx, key, _, household, now in
            guard try SkipStore.delete(key, in: tx) else { throw AppError.notFound }
            let calendar = try occurrences.calendar(of: household, chores: [key.chore], now: now, in: tx)
            let schedule = Self.schedule(of: key, calendar)
            return (.choreUnskipped, try schedule.map { try Self.children(of: $0, on: key.date, calendar) } ?? [])
        }
    }

    /// Returns the schedule that applies to a date of a chore; `nil` for none.
    private static func schedule(of key: ChoreDate, _ calendar: HouseholdCalendar) -> StoredSchedule? {
        calendar.schedules.first {
            $0.chore.id == key.chore && $0.appliesFrom <= key.date && key.date < $0.appliesUntil
        }
    }

    /// Returns the children who do a chore on a date: of a coming one, whose turn it is.
    private static func children(
        of schedule: StoredSchedule, on date: LocalDate, _ calendar: HouseholdCalendar
    ) throws -> [PersonID] {
        guard date > calendar.today, schedule.distribution.isRotation else {
            return calendar.children(of: schedule, on: date)
        }
        let turn = try calendar.comingTurns()[schedule.chore.id]?.first { $0.date == date }
        return turn.map { [$0.childID] } ?? []
    }

    /// Changes whether a date is skipped.
    /// - Parameter change: makes the change, and returns its event and the children whom it concerns; `nil` if there is
    ///   nothing to change.
    private func set(
        _ chore: ID<Chore>, _ date: String, by change: Change,
        _ body:
            @escaping @Sendable (Transaction, ChoreDate, HouseholdCalendar, ID<Household>, Instant) throws -> (
                event: HouseholdEvent, children: [PersonID]
            )?
    ) async throws {
        let now = clock.now
        guard let date = LocalDate(date) else { throw AppError.notFound }
        try await transactions.write(by: change.actor) { tx, householdActor in
            _ = try tx.once(change.idempotency, status: 200, now: now, resource: chore.description) {
                let chore = try householdActor.chore(chore, for: .skip, in: tx).chore
                let household = householdActor.household
                let calendar = try occurrences.calendar(of: household, chores: [chore.id], now: now, in: tx)
                let key = ChoreDate(chore: chore.id, date: date)
                guard let (event, children) = try body(tx, key, calendar, household, now) else { return }
                try planner.plan([chore.id], of: household, now: now, in: tx)
                for child in children {
                    try notifier.notifyOfTurn(event, chore, on: date, of: child, by: householdActor, now: now, in: tx)
                }
                try FamilyEvents.publish("chore", FamilyEvents.chore(chore.id), of: household, now: now, in: tx)
            }
        }
    }
}
