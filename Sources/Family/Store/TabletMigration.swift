import Storage

extension FamilyServices {
    /// Shared tablets, which have no accounts, the open code of each household for pairing one, and picture PINs.
    static let tabletMigration = Migration(
        module: "family", name: "0015-tablets",
        sql: """
            CREATE TABLE family_tablet (
                id {text} PRIMARY KEY,
                household_id {text} NOT NULL REFERENCES family_household(id),
                token_hash {blob} NOT NULL UNIQUE,
                code_id {text} NOT NULL UNIQUE,
                name {text} NOT NULL,
                paired_at {integer} NOT NULL,
                paired_by {text} REFERENCES account(id) ON DELETE SET NULL,
                last_used_at {integer} NOT NULL
            ) {strict};
            CREATE INDEX family_tablet_household ON family_tablet (household_id, id);
            CREATE INDEX family_tablet_by ON family_tablet (paired_by) WHERE paired_by IS NOT NULL;
            CREATE TABLE family_tablet_code (
                household_id {text} PRIMARY KEY REFERENCES family_household(id),
                id {text} NOT NULL,
                hash {blob} NOT NULL UNIQUE,
                made_by {text} NOT NULL REFERENCES account(id) ON DELETE CASCADE,
                expires_at {integer} NOT NULL
            ) {strict};
            CREATE INDEX family_tablet_code_by ON family_tablet_code (made_by);
            CREATE TABLE family_picture_pin (
                child_id {text} PRIMARY KEY REFERENCES account(id) ON DELETE CASCADE,
                hash {blob} NOT NULL
            ) {strict}
            """
    )
}
