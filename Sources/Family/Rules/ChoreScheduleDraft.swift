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
        var text: RecurrenceText?
        try problems.collect { text = try Self.text(input) }
        rule = text?.rule
        let completed = Self.completed(input, from: text?.start, &problems)
        // Later dates than year 9000 leave room for the dates of a rule.
        let start = completed.startsOn.flatMap { LocalDate($0) }.flatMap { $0.yearMonthDay.year <= 9_000 ? $0 : nil }
        if start == nil { problems.refuse("startsOn", .scheduleStartInvalid) }
        dueTime = completed.dueTime.flatMap { LocalTime($0) }
        if dueTime == nil, completed.dueTime != nil { problems.refuse("dueTime", .scheduleTimeInvalid) }
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
        timeZone = completed.timeZone.flatMap { try? LocalTimeZone($0) }
        if timeZone == nil, completed.timeZone != nil { problems.refuse("timeZone", .timeZoneUnknown) }
        if let start, !Self.hasOccurrence(from: start, dueTime, rule) { problems.refuse("rule", .scheduleIsEmpty) }
        try problems.finish()
        guard let start else { throw AppError(.invalid, .scheduleStartInvalid, field: "startsOn") }
        startsOn = start
    }

    private static func text(_ input: ChoreScheduleInput) throws -> RecurrenceText? {
        guard let rule = input.rule else { return nil }
        do throws(RecurrenceRuleError) {
            return try RecurrenceText(rule)
        } catch {
            throw AppError(.invalid, error.text, fields: ["rule": error.text])
        }
    }

    /// Returns the input with what the rule's DTSTART says where the client sent nothing. It mustn't differ from what
    /// the client sent.
    private static func completed(
        _ input: ChoreScheduleInput, from start: RecurrenceText.Start?, _ problems: inout FieldErrors<FamilyMessage>
    ) -> ChoreScheduleInput {
        guard let start else { return input }
        var completed = input
        switch start {
        case .date(let date): completed.startsOn = date.text
        case .local(let date, let time, let zone):
            (completed.startsOn, completed.dueTime) = (date.text, time.text)
            completed.timeZone = zone?.identifier ?? input.timeZone
        case .instant(let instant):
            // Without a time zone, the time on the clock isn't known.
            if let zone = input.timeZone.flatMap({ try? LocalTimeZone($0) }) {
                (completed.startsOn, completed.dueTime) = (zone.date(at: instant).text, zone.time(at: instant).text)
            } else {
                problems.refuse("rule", .scheduleStartDiffers)
            }
        }
        let isSame =
            (input.startsOn ?? completed.startsOn) == completed.startsOn
            && (input.dueTime ?? completed.dueTime) == completed.dueTime
            && (input.timeZone ?? completed.timeZone) == completed.timeZone
        if !isSame { problems.refuse("rule", .scheduleStartDiffers) }
        return completed
    }

    private static func hasOccurrence(from start: LocalDate, _ dueTime: LocalTime?, _ rule: RecurrenceRule?) -> Bool {
        let schedule = Schedule(start: start, dueTime: dueTime, rule: rule, timeZone: .utc)
        return !schedule.occurrences(after: start.adding(days: -1), limit: 1).isEmpty
    }
}
