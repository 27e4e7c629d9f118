import Kernel
import Storage

/// The table `family_streak`, and when the days of a household are reviewed.
enum StreakStore {
    /// Returns the streaks of children; those without a reviewed day are missing.
    static func streaks(of children: [PersonID], in tx: Transaction) throws -> [PersonID: Streak] {
        guard !children.isEmpty else { return [:] }
        let rows = try tx.rows(
            "SELECT child_id, days, best_days, freezes FROM family_streak WHERE child_id IN \(list: children)")
        return try rows.reduce(into: [:]) { found, row in
            let streak = Streak(
                childID: try row.get("child_id"), days: try row.get("days"), bestDays: try row.get("best_days"),
                freezes: try row.get("freezes"))
            found[streak.childID] = streak
        }
    }

    static func save(_ streak: Streak, in tx: Transaction) throws {
        try tx.execute(
            """
            INSERT INTO family_streak (child_id, days, best_days, freezes)
            VALUES (\(streak.childID), \(streak.days), \(streak.bestDays), \(streak.freezes))
            ON CONFLICT (child_id) DO UPDATE SET
                days = excluded.days, best_days = excluded.best_days, freezes = excluded.freezes
            """
        )
    }

    static func deleteAll(of child: PersonID, in tx: Transaction) throws {
        try tx.execute("DELETE FROM family_streak WHERE child_id = \(child)")
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
