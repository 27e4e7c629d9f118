import Kernel
import Recurrence
import Storage

/// Computes streaks from the days on which children did chores, so that it doesn't matter who records a chore and when.
/// The cost depends on ``Limits/streakOpenDays``, not on the history.
struct StreakReader: Sendable {
    /// The streaks of children up to a day, and the children who did a chore on the next day.
    struct Streaks: Sendable {
        let until: [PersonID: Streak]
        let active: Set<PersonID>
    }

    /// The streaks of children and what decides about them.
    struct Days: Sendable {
        fileprivate let stored: [PersonID: StoredStreak]
        fileprivate let done: [PersonID: Set<LocalDate>]
        fileprivate let due: [PersonID: Set<LocalDate>]
        /// The last day of a stored part for children without one.
        fileprivate let start: LocalDate
    }

    /// Returns the streaks until yesterday.
    func streaks(
        of children: [PersonID], in household: ID<Household>, zone: LocalTimeZone, now: Instant, in tx: Transaction
    ) throws -> Streaks {
        let today = zone.date(at: now)
        let days = try days(of: children, in: household, zone: zone, today: today, in: tx)
        let yesterday = today.adding(days: -1)
        return Streaks(
            until: Dictionary(children.map { ($0, days.streak(of: $0, through: yesterday).streak) }) { one, _ in one },
            active: Set(children.filter { days.done[$0]?.contains(today) == true }))
    }

    /// Returns what decides about the streaks of children.
    func days(
        of children: [PersonID], in household: ID<Household>, zone: LocalTimeZone, today: LocalDate, in tx: Transaction
    ) throws -> Days {
        // Without a schedule there are no reviews, and a streak has no days before today.
        let yesterday = today.adding(days: -1)
        let isReviewed = try StreakStore.nextReview(of: household, in: tx) != nil
        let start =
            try isReviewed
            ? StreakStore.lastReview(of: household, in: tx) ?? yesterday.adding(days: -1) : yesterday
        guard !children.isEmpty else { return Days(stored: [:], done: [:], due: [:], start: start) }
        let stored = try StreakStore.streaks(of: children, in: tx)
        let first = min(start, stored.values.compactMap(\.through).min() ?? start)
        var done = try AssignmentStore.daysDone(by: children, after: first, in: tx)
        for (child, at) in try RequestStore.reports(of: children, in: tx) {
            done[child, default: []].insert(zone.date(at: at))
        }
        return Days(stored: stored, done: done, due: try StreakStore.daysDue(for: children, in: tx), start: start)
    }
}

extension StreakReader.Days {
    /// Returns the stored part of a child's streak; `nil` without one.
    func stored(_ child: PersonID) -> StoredStreak? { stored[child] }

    /// Returns a child's streak until a day.
    func streak(of child: PersonID, through last: LocalDate) -> StoredStreak {
        var found =
            stored[child] ?? StoredStreak(streak: Streak(childID: child, days: 0, bestDays: 0, freezes: 0))
        var day = (found.through ?? start).adding(days: 1)
        while day <= last {
            let kind: StreakRule.Day =
                done[child]?.contains(day) == true ? .done : due[child]?.contains(day) == true ? .missed : .free
            found.streak = StreakRule.after(kind, found.streak)
            found.through = day
            day = day.adding(days: 1)
        }
        return found
    }
}
