package import Kernel
package import Recurrence

/// When children do a chore: once, or repeatedly.
package struct ChoreSchedule: Sendable, Hashable {
    package let choreID: ID<Chore>
    /// The children of the household who do the chore, or one of whom does it. Deleted children are missing.
    package let children: [PersonID]
    package let startsOn: LocalDate
    /// `nil` for any time of the day.
    package let dueTime: LocalTime?
    /// `nil` for once.
    package let rule: RecurrenceRule?
    package let distribution: ChoreDistribution
    /// The points that are shown in advance: ``Limits/chorePoints``; `nil` for none. On a chore that the first child
    /// can claim they are a bounty.
    package let offeredPoints: Int64?
    /// Minutes after the due time until the chore is overdue: ``Limits/graceMinutes``.
    package let graceMinutes: Int
    /// Minutes before the due time at which the child is reminded: ``Limits/reminderMinutes``; `nil` for none.
    package let remindMinutesBefore: Int?
    /// Whether the child and the parents are notified of an overdue chore.
    package let remindsWhenOverdue: Bool
    /// Increases by one with each change.
    package let version: Int64
}

/// A new schedule as a client sent it; `nil` for a missing field.
package struct ChoreScheduleInput: Sendable {
    /// The ids of children of the household.
    package var children: [String]
    /// `2026-03-01`.
    package var startsOn: String?
    /// `18:30`; `nil` for any time of the day.
    package var dueTime: String?
    /// The value of an RRULE property (RFC 5545, 3.3.10); `nil` for once.
    package var rule: String?
    /// `each`, `first`, `turns` or `points`; `nil` for each child.
    package var distribution: String?
    /// ``Limits/chorePoints``; `nil` for none.
    package var offeredPoints: Int64?
    /// ``Limits/graceMinutes``; `nil` for none.
    package var graceMinutes: Int64?
    /// ``Limits/reminderMinutes``; `nil` for none.
    package var remindMinutesBefore: Int64?
    package var remindsWhenOverdue: Bool
    /// The household's time zone in the IANA database; `nil` keeps the present one, or UTC if there is none.
    package var timeZone: String?

    package init(
        children: [String] = [], startsOn: String? = nil, dueTime: String? = nil, rule: String? = nil,
        distribution: String? = nil, offeredPoints: Int64? = nil, graceMinutes: Int64? = nil,
        remindMinutesBefore: Int64? = nil, remindsWhenOverdue: Bool = false, timeZone: String? = nil
    ) {
        self.children = children
        self.startsOn = startsOn
        self.dueTime = dueTime
        self.rule = rule
        self.distribution = distribution
        self.offeredPoints = offeredPoints
        self.graceMinutes = graceMinutes
        self.remindMinutesBefore = remindMinutesBefore
        self.remindsWhenOverdue = remindsWhenOverdue
        self.timeZone = timeZone
    }
}

/// The chores of a household with their schedules.
package struct ChorePlan: Sendable {
    /// In the order in which they were added.
    package let chores: [Chore]
    /// The present schedules.
    package let schedules: [ID<Chore>: ChoreSchedule]
    package let children: [Member]
}

/// How many chores a household has.
package struct ChoreCounts: Sendable, Hashable {
    package let all: Int
    /// Those without a schedule.
    package let unplanned: Int
}

/// The data of the page that sets a chore's schedule.
package struct ChoreScheduleDetails: Sendable {
    package let chore: Chore
    /// `nil` without a schedule.
    package let schedule: ChoreSchedule?
    package let children: [Member]
    /// The household's time zone in the IANA database; `nil` before it was set.
    package let timeZone: String?
    /// The present date in that time zone, or in UTC.
    package let today: LocalDate
    /// The next dates of the schedule: at most ``Limits/shownDates``.
    package let dates: [ScheduleDate]
}

/// A date of a chore's schedule.
package struct ScheduleDate: Sendable, Hashable {
    package let date: LocalDate
    /// The child whose turn it is, where that is known.
    package let childID: PersonID?
    /// Whether a parent skipped it.
    package let isSkipped: Bool
}
