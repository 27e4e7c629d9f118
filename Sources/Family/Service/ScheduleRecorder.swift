import Kernel
import Recurrence
import Storage

/// Stores the schedules of chores, in the transaction of the caller, which locks the household.
struct ScheduleRecorder: Sendable {
    let planner: ReminderPlanner
    let renewal: TurnRenewal

    /// Replaces the schedule of a chore. What is overdue of the present one stays, with its turns.
    /// - Returns: the present date of the household.
    @discardableResult
    func set(
        _ draft: ChoreScheduleDraft, of chore: ID<Chore>, as id: ID<StoredSchedule>,
        by householdActor: HouseholdActor, now: Instant, in tx: Transaction
    ) throws -> LocalDate {
        let household = householdActor.household
        let zoneBefore = try ScheduleStore.timeZone(of: household, in: tx)
        // The turns of the present schedules stay.
        let before = try renewal.begin(household, now: now, in: tx)
        if let zone = draft.timeZone { try ScheduleStore.setTimeZone(zone.identifier, of: household, in: tx) }
        // Another time zone can have another date, and other turns up to it.
        let date = try renewal.turns.calendar(of: household, now: now, in: tx).today
        try ScheduleStore.end(of: chore, on: date, in: tx)
        let version = try ScheduleStore.version(of: chore, in: tx) + 1
        try ScheduleStore.insert(
            NewSchedule(
                id: id, choreID: chore, draft: draft, appliesFrom: max(draft.startsOn, date), version: version),
            now: now, in: tx)
        let isZoneNew = draft.timeZone.map { $0.identifier != zoneBefore } ?? false
        try planner.plan(isZoneNew ? nil : [chore], of: household, now: now, in: tx)
        try renewal.finish(before, [chore], by: householdActor, now: now, in: tx)
        try FamilyEvents.publish("chore", FamilyEvents.chore(chore), of: household, now: now, in: tx)
        return date
    }
}
