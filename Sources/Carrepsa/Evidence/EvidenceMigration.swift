import Storage

extension CarrepsaServices {
    /// `digest` is the SHA-256 in hexadecimal digits of what an entry proves; an entry with a digest is sealed.
    /// SQLite's table loses its check of the roles; PostgreSQL's lost it before.
    static let historyDigests = Migration(
        module: "carrepsa", name: "0008-history-digests",
        rebuildingOnSQLite: """
            CREATE TABLE carrepsa_story_new (
                package_id {text} NOT NULL REFERENCES carrepsa_package(id) ON DELETE CASCADE,
                number {integer} NOT NULL,
                at {integer} NOT NULL,
                event {text} NOT NULL,
                role {text} NOT NULL,
                person_id {text} REFERENCES account(id) ON DELETE SET NULL,
                note {text},
                digest {text} CHECK (length(digest) = 64),
                PRIMARY KEY (package_id, number)
            ) {strict-rowless};
            INSERT INTO carrepsa_story_new (package_id, number, at, event, role, person_id, note)
                SELECT package_id, number, at, event, role, person_id, note FROM carrepsa_story;
            DROP TABLE carrepsa_story;
            ALTER TABLE carrepsa_story_new RENAME TO carrepsa_story;
            CREATE INDEX carrepsa_story_person ON carrepsa_story (person_id) WHERE person_id IS NOT NULL;
            CREATE INDEX carrepsa_story_sealed ON carrepsa_story (package_id, number) WHERE digest IS NOT NULL
            """,
        alteringOnPostgres: """
            ALTER TABLE carrepsa_story ADD COLUMN digest {text};
            CREATE INDEX carrepsa_story_sealed ON carrepsa_story (package_id, number) WHERE digest IS NOT NULL
            """)
}
