import Storage

extension FamilyServices {
    /// The rounds of rotations, the day on which a chore was done, and the days on which something was due. A streak is
    /// computed from them: `family_streak` has the part up to `through_on`.
    static let doneDayMigration = Migration(
        module: "family", name: "0017-rounds-and-days",
        sql: """
            ALTER TABLE family_turn ADD COLUMN starts_round {integer} NOT NULL DEFAULT 0;
            ALTER TABLE family_assignment ADD COLUMN done_on {text};
            UPDATE family_assignment SET done_on = occurrence_date WHERE occurrence_date IS NOT NULL;
            CREATE INDEX family_assignment_done ON family_assignment (child_id, done_on)
                WHERE done_on IS NOT NULL AND reversed_at IS NULL;
            ALTER TABLE family_streak ADD COLUMN through_on {text};
            UPDATE family_streak SET through_on = (
                SELECT h.last_reviewed_on FROM family_member m JOIN family_household h ON h.id = m.household_id
                WHERE m.person_id = family_streak.child_id
            );
            CREATE TABLE family_due_day (
                child_id {text} NOT NULL REFERENCES account(id),
                date {text} NOT NULL,
                PRIMARY KEY (child_id, date)
            ) {strict-rowless}
            """
    )
}
