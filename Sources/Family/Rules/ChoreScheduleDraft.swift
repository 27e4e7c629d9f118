import Kernel
import Recurrence

extension ChoreScheduleInput {
    /// Checks the rules that need no stored data, so that a form reports the errors of all fields at once.
    /// - Throws: `AppError(.invalid)` at `childIds`, `startsOn`, `dueTime`, `rule`, `distribution`,
    ///   `offeredPoints`, `graceMinutes`, `remindMinutesBefore` and `timeZone`.
    package func check() throws { _ = try ChoreScheduleDraft(self) }
}

/// A checked schedule.
struct ChoreScheduleDraft: Sendable {
    /// Without repetitions.
    let children: [PersonID]
    let startsOn: LocalDate
    let dueTime: LocalTime?
    let rule: RecurrenceRule?
    let distribution: ChoreDistribution
    let offeredPoints: Int64?
    let reminders: ReminderRule
    /// `nil` keeps the household's present one.
    let timeZone: LocalTimeZone?

    /// - Throws: `AppError(.invalid)` at `childIds`, `startsOn`, `dueTime`, `rule`, `distribution`,
    ///   `offeredPoints`, `graceMinutes`, `remindMinutesBefore` and `timeZone`.
    init(_ input: ChoreScheduleInput) throws {
        var problems = FieldErrors<FamilyMessage>()
        let ids = input.children.map { PersonID($0) }
        children = Array(Set(ids.compactMap(\.self))).sorted()
        if ids.contains(nil) { problems.refuse("childIds", .scheduleChildUnknown) }
        if children.isEmpty { problems.refuse("childIds", .scheduleChildrenMissing) }
        if children.count > Limits.childrenPerHousehold { problems.refuse("childIds", .tooManyChildren) }
        // Later dates than year 9000 leave room for the dates of a rule.
        let start = input.startsOn.flatMap { LocalDate($0) }.flatMap { $0.yearMonthDay.year <= 9_000 ? $0 : nil }
        if start == nil { problems.refuse("startsOn", .scheduleStartInvalid) }
        dueTime = input.dueTime.flatMap { LocalTime($0) }
        if dueTime == nil, input.dueTime != nil { problems.refuse("dueTime", .scheduleTimeInvalid) }
        rule = input.rule.flatMap { try? RecurrenceRule(rfc5545: $0) }
        if rule == nil, input.rule != nil { problems.refuse("rule", .scheduleRuleInvalid) }
        let chosen = input.distribution.map { ChoreDistribution(rawValue: $0) } ?? .each
        if chosen == nil { problems.refuse("distribution", .distributionUnknown) }
        distribution = chosen ?? .each
        offeredPoints = input.offeredPoints
        if let points = offeredPoints, !Limits.chorePoints.contains(points) {
            problems.refuse("offeredPoints", .pointsOutOfRange)
        }
        if let grace = input.graceMinutes, !Limits.graceMinutes.contains(grace) {
            problems.refuse("graceMinutes", .graceOutOfRange)
        }
        if let minutes = input.remindMinutesBefore, !Limits.reminderMinutes.contains(minutes) {
            problems.refuse("remindMinutesBefore", .reminderOutOfRange)
        }
        reminders = ReminderRule(
            minutesBefore: input.remindMinutesBefore.flatMap(Int.init(exactly:)),
            graceMinutes: input.graceMinutes.flatMap(Int.init(exactly:)) ?? 0,
            remindsWhenOverdue: input.remindsWhenOverdue)
        timeZone = input.timeZone.flatMap { try? LocalTimeZone($0) }
        if timeZone == nil, input.timeZone != nil { problems.refuse("timeZone", .timeZoneUnknown) }
        if let start, !Self.hasOccurrence(from: start, dueTime, rule) { problems.refuse("rule", .scheduleIsEmpty) }
        try problems.finish()
        guard let start else { throw AppError(.invalid, .scheduleStartInvalid, field: "startsOn") }
        startsOn = start
    }

    private static func hasOccurrence(from start: LocalDate, _ dueTime: LocalTime?, _ rule: RecurrenceRule?) -> Bool {
        guard let zone = try? LocalTimeZone("UTC"),
            let schedule = try? Schedule(start: start, dueTime: dueTime, rule: rule, timeZone: zone)
        else { return false }
        return !schedule.occurrences(after: start.adding(days: -1), limit: 1).isEmpty
    }
}
