import Kernel

/// How a day changes a streak.
enum StreakRule {
    /// What happened on a day.
    enum Day: Sendable, Hashable {
        /// The child did at least one chore, or reported it.
        case done
        /// Something was due, and nothing was done.
        case missed
        /// Nothing was due, or the child had a pause.
        case free
    }

    /// Returns the streak after a day. A missed day takes a freeze, and ends the streak without one. Each
    /// ``Limits/streakFreezeDays`` earn a freeze.
    static func after(_ day: Day, _ streak: Streak) -> Streak {
        var next = streak
        switch day {
        case .free: break
        case .done:
            next.days += 1
            next.bestDays = max(next.bestDays, next.days)
            if next.days % Limits.streakFreezeDays == 0 { next.freezes = min(next.freezes + 1, Limits.streakFreezes) }
        case .missed where streak.freezes > 0: next.freezes -= 1
        case .missed: next.days = 0
        }
        return next
    }
}
