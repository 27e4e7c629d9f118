import Kernel
import Storage

/// The part of a streak that doesn't change any more.
struct StoredStreak: Sendable, Hashable {
    var streak: Streak
    /// The last day of it; `nil` for an imported one, and before the first review.
    var through: LocalDate?
}

/// The tables `family_streak` and `family_due_day`, and when the days of a household are reviewed.
enum StreakStore {
    /// Returns the stored parts of streaks; those of children without a review are missing.
    static func streaks(of children: [PersonID], in tx: Transaction) throws -> [PersonID: StoredStreak] {
        guard !children.isEmpty else { return [:] }
        let rows = try tx.rows(
            """
            SELECT child_id, days, best_days, freezes, through_on FROM family_streak
            WHERE child_id IN \(list: children)
            """)
        return try rows.reduce(into: [:]) { found, row in
            let streak = Streak(
                childID: try row.get("child_id"), days: try row.get("days"), bestDays: try row.get("best_days"),
                freezes: try row.get("freezes"))
            found[streak.childID] = StoredStreak(
                streak: streak, through: try row.get("through_on", as: String?.self).flatMap { LocalDate($0) })
        }
    }

    static func save(_ stored: StoredStreak, in tx: Transaction) throws {
        let streak = stored.streak
        try tx.execute(
            """
            INSERT INTO family_streak (child_id, days, best_days, freezes, through_on)
            VALUES (
                \(streak.childID), \(streak.days), \(streak.bestDays), \(streak.freezes), \(stored.through?.text)
            )
            ON CONFLICT (child_id) DO UPDATE SET days = excluded.days, best_days = excluded.best_days,
                freezes = excluded.freezes, through_on = excluded.through_on
            """
        )
    }

    static func deleteAll(of child: PersonID, in tx: Transaction) throws {
        try tx.execute("DELETE FROM family_streak WHERE child_id = \(child)")
        try tx.execute("DELETE FROM family_due_day WHERE child_id = \(child)")
    }

    // MARK: Days

    /// Stores that something was due for a child on a day.
    static func insertDue(_ child: PersonID, on date: LocalDate, in tx: Transaction) throws {
        try tx.execute(
            """
            INSERT INTO family_due_day (child_id, date) VALUES (\(child), \(date.text))
            ON CONFLICT (child_id, date) DO NOTHING
            """
        )
    }

    /// Returns the stored days on which something was due for children.
    static func daysDue(for children: [PersonID], in tx: Transaction) throws -> [PersonID: Set<LocalDate>] {
        guard !children.isEmpty else { return [:] }
        return try tx.rows("SELECT child_id, date FROM family_due_day WHERE child_id IN \(list: children)")
            .reduce(into: [:]) { days, row in
                days[try row.get("child_id"), default: []].insert(try row.localDate("date"))
            }
    }

    /// Deletes the days of a child up to one.
    static func deleteDue(for child: PersonID, through date: LocalDate, in tx: Transaction) throws {
        try tx.execute("DELETE FROM family_due_day WHERE child_id = \(child) AND date <= \(date.text)")
    }

    // MARK: Reviews

    /// Returns the households whose review is due, the earliest first.
    static func dueReviews(at now: Instant, limit: Int, in tx: Transaction) throws -> [ID<Household>] {
        try tx.rows(dueReviewsQuery(at: now, limit: limit)).map { try $0.get("id") }
    }

    /// The query of ``dueReviews(at:limit:in:)``.
    static func dueReviewsQuery(at now: Instant, limit: Int) -> SQL {
        """
        SELECT id FROM family_household WHERE next_review_at <= \(now) ORDER BY next_review_at LIMIT \(limit)
        """
    }

    /// Returns when the next review is due; `nil` before the first schedule.
    static func nextReview(of household: ID<Household>, in tx: Transaction) throws -> Instant? {
        try tx.row("SELECT next_review_at FROM family_household WHERE id = \(household)")?.get("next_review_at")
    }

    /// Returns the last reviewed date; `nil` before the first review.
    static func lastReview(of household: ID<Household>, in tx: Transaction) throws -> LocalDate? {
        try tx.row("SELECT last_reviewed_on FROM family_household WHERE id = \(household)")?
            .get("last_reviewed_on", as: String?.self).flatMap { LocalDate($0) }
    }

    static func setLastReview(_ date: LocalDate, of household: ID<Household>, in tx: Transaction) throws {
        try tx.execute("UPDATE family_household SET last_reviewed_on = \(date.text) WHERE id = \(household)")
    }

    static func setNextReview(_ instant: Instant, of household: ID<Household>, in tx: Transaction) throws {
        try tx.execute("UPDATE family_household SET next_review_at = \(instant) WHERE id = \(household)")
    }
}
