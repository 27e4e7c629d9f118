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
        SELECT s.id, s.starts_on, s.due_time, s.rule, s.version, s.applies_from, s.applies_until, c.id AS chore_id,
            c.name, c.picture_id, c.version AS chore_version, c.created_at
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
                id, chore_id, starts_on, due_time, rule, version, created_at, applies_from, applies_until
            ) VALUES (
                \(schedule.id), \(schedule.choreID), \(draft.startsOn.text), \(draft.dueTime?.text),
                \(draft.rule?.rfc5545), \(schedule.version), \(now), \(schedule.appliesFrom.text),
                \(LocalDate.last.text)
            )
            """
        )
        for child in draft.children {
            try tx.execute(
                "INSERT INTO family_schedule_child (schedule_id, child_id) VALUES (\(schedule.id), \(child))")
        }
    }

    /// Ends the present schedule of a chore.
    /// - Parameter date: the first date on which it doesn't apply any more.
    static func end(of chore: ID<Chore>, on date: LocalDate, in tx: Transaction) throws {
        try tx.execute(
            """
            UPDATE family_schedule SET applies_until = \(date.text)
            WHERE chore_id = \(chore) AND applies_until = \(LocalDate.last.text)
            """
        )
    }

    /// Returns the highest version of a chore's schedules; 0 without one.
    static func version(of chore: ID<Chore>, in tx: Transaction) throws -> Int64 {
        try tx.row("SELECT MAX(version) AS version FROM family_schedule WHERE chore_id = \(chore)")?
            .get("version", as: Int64?.self) ?? 0
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

    static func deleteAll(of child: PersonID, in tx: Transaction) throws {
        try tx.execute("DELETE FROM family_schedule_child WHERE child_id = \(child)")
    }

    private static func read(_ row: Row) throws -> StoredSchedule {
        let chore = Chore(
            id: try row.get("chore_id"), name: try row.get("name"), pictureID: try row.get("picture_id"),
            version: try row.get("chore_version"), createdAt: try row.get("created_at"))
        return StoredSchedule(
            id: try row.get("id"), chore: chore, startsOn: try row.date("starts_on"),
            dueTime: try row.get("due_time", as: String?.self).flatMap { LocalTime($0) },
            rule: try row.get("rule", as: String?.self).map { try RecurrenceRule(rfc5545: $0) },
            version: try row.get("version"), appliesFrom: try row.date("applies_from"),
            appliesUntil: try row.date("applies_until"))
    }
}

extension Row {
    fileprivate func date(_ column: String) throws -> LocalDate {
        guard let date = LocalDate(try get(column, as: String.self)) else { throw SQLMismatch(expected: "date") }
        return date
    }
}
