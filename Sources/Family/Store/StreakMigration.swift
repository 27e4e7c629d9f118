import Storage

extension FamilyServices {
    /// Streaks and reviews. Households with a schedule are reviewed at once, which sets the next time.
    static let streakMigration = Migration(
        module: "family", name: "0014-streaks",
        sql: """
            CREATE TABLE family_streak (
                child_id {text} PRIMARY KEY REFERENCES account(id),
                days {integer} NOT NULL CHECK (days >= 0),
                best_days {integer} NOT NULL CHECK (best_days >= days),
                freezes {integer} NOT NULL CHECK (freezes >= 0)
            ) {strict};
            ALTER TABLE family_household ADD COLUMN next_review_at {integer};
            ALTER TABLE family_household ADD COLUMN last_reviewed_on {text};
            CREATE INDEX family_household_review ON family_household (next_review_at)
                WHERE next_review_at IS NOT NULL;
            UPDATE family_household SET next_review_at = 0 WHERE id IN (
                SELECT c.household_id FROM family_chore c JOIN family_schedule s ON s.chore_id = c.id
            )
            """
    )
}
