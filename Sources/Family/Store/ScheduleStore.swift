import Kernel
import Recurrence
import Storage

/// A row of `family_schedule` with its chore.
struct StoredSchedule: Sendable {
    let id: ID<StoredSchedule>
    let chore: Chore
    let startsOn: LocalDate
    let dueTime: LocalTime?
    let rule: RecurrenceRule?
    let distribution: ChoreDistribution
    let offeredPoints: Int64?
    let reminders: ReminderRule
    let version: Int64
    /// The first date on which the schedule applies: that of its creation, or its start if that is later.
    let appliesFrom: LocalDate
    /// The date from which it doesn't apply any more; ``LocalDate/last`` for the present schedule of the chore.
    let appliesUntil: LocalDate

    var isPresent: Bool { appliesUntil == .last }
}

/// A new row of `family_schedule`.
struct NewSchedule: Sendable {
    let id: ID<StoredSchedule>
    let choreID: ID<Chore>
    let draft: ChoreScheduleDraft
    let appliesFrom: LocalDate
    let version: Int64
}

/// The tables `family_schedule` and `family_schedule_child`, and the time zone of a household. A schedule is never
/// changed: a new one replaces it.
enum ScheduleStore {
    private static let selection: SQL = """
        SELECT s.id, s.starts_on, s.due_time, s.rule, s.distribution, s.version, s.offered_points, s.grace_minutes,
            s.remind_minutes_before, s.reminds_when_overdue, s.applies_from, s.applies_until,
            c.id AS chore_id, c.name, c.picture_id, c.version AS chore_version, c.created_at
        FROM family_chore c JOIN family_schedule s ON s.chore_id = c.id
        """

    // MARK: Time zone

    static func timeZone(of household: ID<Household>, in tx: Transaction) throws -> String? {
        try tx.row("SELECT time_zone FROM family_household WHERE id = \(household)")?.get("time_zone")
    }

    static func setTimeZone(_ identifier: String, of household: ID<Household>, in tx: Transaction) throws {
        try tx.execute("UPDATE family_household SET time_zone = \(identifier) WHERE id = \(household)")
    }

    // MARK: Schedules

    static func insert(_ schedule: NewSchedule, now: Instant, in tx: Transaction) throws {
        let draft = schedule.draft
        try tx.execute(
            """
            INSERT INTO family_schedule (
                id, chore_id, starts_on, due_time, rule, distribution, offered_points, grace_minutes,
                remind_minutes_before, reminds_when_overdue, version, created_at, applies_from, applies_until
            ) VALUES (
                \(schedule.id), \(schedule.choreID), \(draft.startsOn.text), \(draft.dueTime?.text),
                \(draft.rule?.rfc5545), \(draft.distribution), \(draft.offeredPoints), \(draft.reminders.graceMinutes),
                \(draft.reminders.minutesBefore), \(draft.reminders.remindsWhenOverdue), \(schedule.version), \(now),
                \(schedule.appliesFrom.text), \(LocalDate.last.text)
            )
            """
        )
        for child in draft.children {
            try tx.execute(
                "INSERT INTO family_schedule_child (schedule_id, child_id) VALUES (\(schedule.id), \(child))")
        }
    }

    /// Ends the present schedule of a chore. A change of the time zone can bring an earlier date than that of the
    /// change before, so the replaced schedules end then too.
    /// - Parameter date: the first date on which they don't apply any more.
    static func end(of chore: ID<Chore>, on date: LocalDate, in tx: Transaction) throws {
        try tx.execute(
            """
            UPDATE family_schedule SET applies_until = \(date.text), next_reminder_at = NULL
            WHERE chore_id = \(chore) AND applies_until > \(date.text)
            """
        )
    }

    /// Returns the highest version of a chore's schedules; 0 without one.
    static func version(of chore: ID<Chore>, in tx: Transaction) throws -> Int64 {
        try tx.row("SELECT MAX(version) AS version FROM family_schedule WHERE chore_id = \(chore)")?
            .get("version", as: Int64?.self) ?? 0
    }

    /// Returns how many chores a household has, and how many of them have no schedule.
    static func counts(of household: ID<Household>, in tx: Transaction) throws -> ChoreCounts {
        let row = try tx.row(
            """
            SELECT COUNT(*) AS chores, COUNT(s.chore_id) AS planned
            FROM family_chore c LEFT JOIN family_schedule s
                ON s.chore_id = c.id AND s.applies_until = \(LocalDate.last.text)
            WHERE c.household_id = \(household) AND c.deleted_at IS NULL
            """)
        guard let row else { return ChoreCounts(all: 0, unplanned: 0) }
        let (all, planned): (Int, Int) = (try row.get("chores"), try row.get("planned"))
        return ChoreCounts(all: all, unplanned: all - planned)
    }

    /// Returns the present schedule of a chore.
    static func present(of chore: ID<Chore>, in tx: Transaction) throws -> StoredSchedule? {
        try tx.row("\(sql: selection) WHERE c.id = \(chore) AND s.applies_until = \(LocalDate.last.text)").map(read)
    }

    /// Returns the schedules that apply on a date or later, of chores that aren't deleted.
    /// - Parameter chores: `nil` for all chores of the household.
    static func applying(
        since date: LocalDate, of household: ID<Household>, chores: [ID<Chore>]? = nil, in tx: Transaction
    ) throws -> [StoredSchedule] {
        try tx.rows(applyingQuery(since: date, of: household, chores: chores)).map(read)
    }

    /// The query of ``applying(since:of:chores:in:)``.
    static func applyingQuery(since date: LocalDate, of household: ID<Household>, chores: [ID<Chore>]? = nil) -> SQL {
        let some: SQL = chores.map { "AND c.id IN \(list: $0)" } ?? SQL()
        return """
            \(sql: selection)
            WHERE c.household_id = \(household) AND c.deleted_at IS NULL AND s.applies_until > \(date.text)
                AND s.applies_until > s.applies_from \(sql: some)
            ORDER BY c.id, s.applies_until
            """
    }

    /// Returns the chores of a household whose present schedule is distributed in one way.
    static func chores(
        of household: ID<Household>, sharedBy distribution: ChoreDistribution, in tx: Transaction
    ) throws -> [ID<Chore>] {
        try tx.rows(choresQuery(of: household, sharedBy: distribution)).map { try $0.get("id") }
    }

    /// The query of ``chores(of:sharedBy:in:)``.
    static func choresQuery(of household: ID<Household>, sharedBy distribution: ChoreDistribution) -> SQL {
        """
        SELECT c.id FROM family_chore c JOIN family_schedule s ON s.chore_id = c.id
        WHERE c.household_id = \(household) AND c.deleted_at IS NULL AND s.applies_until = \(LocalDate.last.text)
            AND s.distribution = \(distribution)
        """
    }

    /// Returns the children of schedules, without deleted ones.
    static func children(
        of schedules: [ID<StoredSchedule>], in tx: Transaction
    ) throws -> [ID<StoredSchedule>: [PersonID]] {
        guard !schedules.isEmpty else { return [:] }
        let rows = try tx.rows(
            """
            SELECT s.schedule_id, s.child_id FROM family_schedule_child s
            JOIN family_member m ON m.person_id = s.child_id
            WHERE s.schedule_id IN \(list: schedules) AND m.deleted_at IS NULL ORDER BY s.child_id
            """
        )
        return try rows.reduce(into: [:]) { found, row in
            found[try row.get("schedule_id"), default: []].append(try row.get("child_id"))
        }
    }

    // MARK: Reminders

    /// Returns the schedules with a reminder that is due, the earliest first, and their households.
    static func reminding(
        at now: Instant, limit: Int, in tx: Transaction
    ) throws -> [(schedule: ID<StoredSchedule>, household: ID<Household>)] {
        try tx.rows(remindingQuery(at: now, limit: limit)).map { (try $0.get("id"), try $0.get("household_id")) }
    }

    /// The query of ``reminding(at:limit:in:)``.
    static func remindingQuery(at now: Instant, limit: Int) -> SQL {
        """
        SELECT s.id, c.household_id FROM family_schedule s JOIN family_chore c ON c.id = s.chore_id
        WHERE s.next_reminder_at <= \(now) AND c.deleted_at IS NULL ORDER BY s.next_reminder_at LIMIT \(limit)
        """
    }

    /// Returns a schedule with the time of its next reminder; `nil` without one.
    static func reminding(
        _ id: ID<StoredSchedule>, in tx: Transaction
    ) throws -> (schedule: StoredSchedule, at: Instant)? {
        let row = try tx.row(
            "\(sql: selection) WHERE s.id = \(id) AND c.deleted_at IS NULL AND s.next_reminder_at IS NOT NULL")
        guard let row, let at = try nextReminder(id, in: tx) else { return nil }
        return (try read(row), at)
    }

    private static func nextReminder(_ id: ID<StoredSchedule>, in tx: Transaction) throws -> Instant? {
        try tx.row("SELECT next_reminder_at FROM family_schedule WHERE id = \(id)")?.get("next_reminder_at")
    }

    static func setNextReminder(_ instant: Instant?, of id: ID<StoredSchedule>, in tx: Transaction) throws {
        try tx.execute("UPDATE family_schedule SET next_reminder_at = \(instant) WHERE id = \(id)")
    }

    static func deleteAll(of child: PersonID, in tx: Transaction) throws {
        try tx.execute("DELETE FROM family_schedule_child WHERE child_id = \(child)")
    }

    private static func read(_ row: Row) throws -> StoredSchedule {
        let chore = Chore(
            id: try row.get("chore_id"), name: try row.get("name"), pictureID: try row.get("picture_id"),
            version: try row.get("chore_version"), createdAt: try row.get("created_at"))
        return StoredSchedule(
            id: try row.get("id"), chore: chore, startsOn: try row.localDate("starts_on"),
            dueTime: try row.get("due_time", as: String?.self).flatMap { LocalTime($0) },
            rule: try row.get("rule", as: String?.self).map { try RecurrenceRule(rfc5545: $0) },
            distribution: try row.get("distribution"),
            offeredPoints: try row.get("offered_points"),
            reminders: ReminderRule(
                minutesBefore: try row.get("remind_minutes_before"), graceMinutes: try row.get("grace_minutes"),
                remindsWhenOverdue: try row.get("reminds_when_overdue")),
            version: try row.get("version"), appliesFrom: try row.localDate("applies_from"),
            appliesUntil: try row.localDate("applies_until"))
    }
}
