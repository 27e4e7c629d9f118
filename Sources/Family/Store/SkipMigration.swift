import Storage

extension FamilyServices {
    /// The dates on which a chore isn't due although its schedule has them.
    static let skipMigration = Migration(
        module: "family", name: "0016-skips",
        sql: """
            CREATE TABLE family_skip (
                chore_id {text} NOT NULL REFERENCES family_chore(id) ON DELETE CASCADE,
                date {text} NOT NULL,
                PRIMARY KEY (chore_id, date)
            ) {strict-rowless}
            """
    )
}
