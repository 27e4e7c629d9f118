import Kernel
import Recurrence

/// When the reminders of a chore are due.
struct ReminderRule: Sendable, Hashable {
    /// The step of an occurrence that a reminder is about.
    enum Step: Sendable, Hashable {
        /// It is due soon.
        case soon
        /// The grace period is over.
        case overdue
    }

    /// A reminder of an occurrence.
    struct Reminder: Sendable, Hashable {
        let occurrence: Occurrence
        let step: Step
        let at: Instant
    }

    /// Minutes before the due time; `nil` for none.
    let minutesBefore: Int?
    /// Minutes after the due time until the chore is overdue.
    let graceMinutes: Int
    let remindsWhenOverdue: Bool

    var isNeeded: Bool { minutesBefore != nil || remindsWhenOverdue }

    /// When an occurrence is overdue.
    func overdue(_ occurrence: Occurrence) -> Instant {
        occurrence.due.adding(seconds: Int64(graceMinutes) * 60)
    }

    /// Returns the reminders of an occurrence. One before it comes on its date. One when it is overdue comes in the
    /// morning if that would be at night.
    func reminders(of occurrence: Occurrence, in zone: LocalTimeZone) -> [Reminder] {
        var found: [Reminder] = []
        if let minutesBefore {
            let start = zone.instant(of: occurrence.date, at: .midnight)
            let evening = zone.instant(of: occurrence.date, at: Limits.reminderEvening)
            let before = occurrence.due.adding(seconds: -Int64(minutesBefore) * 60)
            // A chore for any time of the day is due at midnight.
            let at = occurrence.date == zone.date(at: occurrence.due) ? max(start, before) : min(evening, before)
            found.append(Reminder(occurrence: occurrence, step: .soon, at: at))
        }
        if remindsWhenOverdue {
            let at = Self.awake(overdue(occurrence), in: zone)
            found.append(Reminder(occurrence: occurrence, step: .overdue, at: at))
        }
        return found
    }

    /// Returns the first reminder after an instant.
    func next(of schedule: Schedule, after instant: Instant) -> Instant? {
        guard isNeeded else { return nil }
        let first = schedule.timeZone.date(at: instant).adding(days: -Limits.reminderDays)
        return schedule.occurrences(after: first, limit: Limits.reminderOccurrences)
            .flatMap { reminders(of: $0, in: schedule.timeZone) }.map(\.at).filter { $0 > instant }.min()
    }

    private static func awake(_ instant: Instant, in zone: LocalTimeZone) -> Instant {
        let date = zone.date(at: instant)
        let morning = zone.instant(of: date, at: Limits.reminderMorning)
        if instant < morning { return morning }
        let evening = zone.instant(of: date, at: Limits.reminderEvening)
        return instant <= evening ? instant : zone.instant(of: date.adding(days: 1), at: Limits.reminderMorning)
    }
}
