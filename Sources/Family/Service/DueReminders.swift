import Kernel
import Recurrence
import Storage

/// Sends the reminders of chores.
struct DueReminders: Sendable {
    let database: Database
    let turns: TurnRecorder
    let notifier: ChildNotifier
    let entries: DueEntries
    let clock: any WallClock

    /// Sends the reminders that are due, those of each chore in its own transaction.
    func run() async throws {
        let now = clock.now
        let due = try await database.read { tx in
            try ScheduleStore.reminding(at: now, limit: Limits.housekeepingBatch, in: tx)
        }
        try await entries.process(due, name: "reminder", now: now) { due, tx in
            try remind(due.schedule, of: due.household, now: now, in: tx)
        } postpone: { due, later, tx in
            try ScheduleStore.setNextReminder(later, of: due.schedule, in: tx)
        }
    }

    private func remind(
        _ id: ID<StoredSchedule>, of household: ID<Household>, now: Instant, in tx: Transaction
    ) throws {
        _ = try HouseholdStore.lock(household, in: tx)
        guard let (schedule, from) = try ScheduleStore.reminding(id, in: tx) else { return }
        // Another node may have sent them before the household was locked.
        guard from <= now else { return }
        let chore = schedule.chore
        let calendar = try turns.calendar(of: household, chores: [chore.id], now: now, in: tx)
        let since = max(from, now.adding(seconds: -Limits.reminderLateSeconds))
        let children = calendar.children[id] ?? []
        var taken = try turns.occurrences.done(calendar, of: children, in: tx)
        taken.formUnion(try RequestStore.occurrences(of: [chore.id], in: tx))
        for occurrence in try calendar.occurrences(of: schedule) {
            for reminder in schedule.reminders.reminders(of: occurrence, in: calendar.timeZone)
            where since <= reminder.at && reminder.at <= now {
                for child in calendar.children(of: schedule, on: occurrence.date)
                where !taken.contains(OccurrenceKey(child: child, chore: chore.id, date: occurrence.date)) {
                    try notifier.remind(
                        of: reminder.step == .soon ? .choreDue : .choreOverdue, chore, occurrence, child,
                        isClaimable: calendar.isClaimable(schedule, on: occurrence.date), of: household, now: now,
                        in: tx)
                }
            }
        }
        let next = schedule.reminders.next(of: try calendar.expanded(schedule), after: now)
        try ScheduleStore.setNextReminder(next, of: id, in: tx)
    }
}
