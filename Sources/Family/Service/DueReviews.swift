import Kernel
import Recurrence
import Storage

/// Reviews the day before in the morning: it updates the streaks, and on Mondays it sends the summary of the week. The
/// reviews of a household begin with its first schedule: a family without schedules gets no summaries.
struct DueReviews: Sendable {
    let database: Database
    let turns: TurnRecorder
    let streaks: StreakReader
    let notifier: ChildNotifier
    let entries: DueEntries
    let clock: any WallClock

    /// Reviews the due households, each in its own transaction.
    func run() async throws {
        let now = clock.now
        let due = try await database.read { tx in
            try StreakStore.dueReviews(at: now, limit: Limits.housekeepingBatch, in: tx)
        }
        try await entries.process(due, name: "review", now: now) { household, tx in
            try review(household, now: now, in: tx)
        } postpone: { household, later, tx in
            try StreakStore.setNextReview(later, of: household, in: tx)
        }
    }

    /// Returns the next time at which a household is reviewed.
    static func next(in zone: LocalTimeZone, after instant: Instant) -> Instant {
        let today = zone.date(at: instant)
        let morning = zone.instant(of: today, at: Limits.reviewTime)
        return morning > instant ? morning : zone.instant(of: today.adding(days: 1), at: Limits.reviewTime)
    }

    private func review(_ household: ID<Household>, now: Instant, in tx: Transaction) throws {
        _ = try HouseholdStore.lock(household, in: tx)
        // Another node may have done it before the household was locked.
        guard let due = try StreakStore.nextReview(of: household, in: tx), due <= now else { return }
        let calendar = try turns.calendar(of: household, now: now, in: tx)
        try StreakStore.setNextReview(Self.next(in: calendar.timeZone, after: now), of: household, in: tx)
        // Another time zone can bring the same day twice.
        let yesterday = calendar.today.adding(days: -1)
        let last = try StreakStore.lastReview(of: household, in: tx) ?? yesterday.adding(days: -1)
        guard last < yesterday else { return }
        try StreakStore.setLastReview(yesterday, of: household, in: tx)
        let children = try HouseholdStore.page(
            of: household, .child, after: nil, limit: Limits.childrenPerHousehold, in: tx)
        // After an outage only the last day is known, so nothing was due on the days before.
        try updateStreaks(of: children, on: yesterday, after: last, calendar, of: household, now: now, in: tx)
        let days = calendar.today.weekday.rawValue - Weekday.monday.rawValue
        let monday = calendar.today.adding(days: -days)
        if monday.adding(days: -1) > last {
            try summarize(children, of: household, before: monday, calendar.timeZone, now: now, in: tx)
        }
    }

    /// Stores which children had a chore on a day, and adds the days that can no longer change to the stored streaks.
    /// - Parameter last: the day of the review before.
    private func updateStreaks(
        of children: [PersonID], on date: LocalDate, after last: LocalDate, _ calendar: HouseholdCalendar,
        of household: ID<Household>, now: Instant, in tx: Transaction
    ) throws {
        let days = try streaks.days(
            of: children, in: household, zone: calendar.timeZone, today: calendar.today, in: tx)
        let due = try due(on: date, calendar, among: children, in: tx)
        let closed = date.adding(days: -Limits.streakOpenDays)
        for child in children {
            if due.contains(child) {
                try StreakStore.insertDue(child, on: date, in: tx)
                try FamilyEvents.publish("assignment", FamilyEvents.child(child), of: household, now: now, in: tx)
            }
            var stored = days.streak(of: child, through: closed)
            stored.through = stored.through ?? last
            guard stored != days.stored(child) else { continue }
            try StreakStore.save(stored, in: tx)
            try StreakStore.deleteDue(for: child, through: closed, in: tx)
        }
    }

    /// Returns the children who had something to do on a day that they hadn't done before.
    private func due(
        on date: LocalDate, _ calendar: HouseholdCalendar, among children: [PersonID], in tx: Transaction
    ) throws -> Set<PersonID> {
        let start = calendar.timeZone.instant(of: date, at: .midnight)
        let early = try Set(
            AssignmentStore.doneInAdvance(by: children, of: date, in: tx)
                + RequestStore.reportedInAdvance(by: children, of: date, before: start, in: tx))
        var due: Set<PersonID> = []
        for schedule in calendar.schedules
        where try calendar.occurrences(of: schedule).contains(where: { $0.date == date }) {
            guard !calendar.isClaimable(schedule, on: date) else { continue }
            due.formUnion(
                calendar.children(of: schedule, on: date).filter { child in
                    !early.contains(OccurrenceKey(child: child, chore: schedule.chore.id, date: date))
                })
        }
        return due
    }

    /// Notifies each child and the parents of the chores and points of the week before a Monday.
    private func summarize(
        _ children: [PersonID], of household: ID<Household>, before monday: LocalDate, _ zone: LocalTimeZone,
        now: Instant, in tx: Transaction
    ) throws {
        let start = zone.instant(of: monday.adding(days: -Limits.summaryDays), at: .midnight)
        let end = zone.instant(of: monday, at: .midnight)
        let counts = try AssignmentStore.counts(of: children, from: start, until: end, in: tx)
        guard !counts.isEmpty else { return }
        for child in children {
            guard let (chores, points) = counts[child] else { continue }
            try notifier.notifyOfWeek(
                before: monday, of: child, chores: chores, points: points, of: household, now: now, in: tx)
        }
    }
}
