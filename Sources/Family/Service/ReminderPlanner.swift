import Kernel
import Recurrence
import Storage

/// Stores when the next reminders and reviews are due, in the transaction of the caller.
struct ReminderPlanner: Sendable {
    let occurrences: OccurrenceReader

    /// Stores when the next reminder of each present schedule is due, and the next review of the household.
    /// - Parameter chores: `nil` for all chores, because the time zone changed.
    func plan(_ chores: [ID<Chore>]?, of household: ID<Household>, now: Instant, in tx: Transaction) throws {
        let calendar = try occurrences.calendar(of: household, chores: chores, now: now, in: tx)
        let review = DueReviews.next(in: calendar.timeZone, after: now)
        let planned = try StreakStore.nextReview(of: household, in: tx)
        // The first schedule: streaks begin today, even if the first review comes late.
        if planned == nil { try StreakStore.setLastReview(calendar.today.adding(days: -1), of: household, in: tx) }
        if planned.map({ $0 > review }) ?? true { try StreakStore.setNextReview(review, of: household, in: tx) }
        for schedule in calendar.schedules where schedule.isPresent {
            let next = schedule.reminders.next(of: try calendar.expanded(schedule), after: now)
            try ScheduleStore.setNextReminder(next, of: schedule.id, in: tx)
        }
    }
}
