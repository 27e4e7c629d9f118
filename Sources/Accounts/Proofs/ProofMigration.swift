import Storage

extension AccountServices {
    /// Proofs of presence, and changes of the email that are pending or can be undone.
    ///
    /// Codes are stored only as hashes. Open passkey challenges end with this migration: they last five minutes.
    /// `identity_confirmation` stays, unused, for nodes of the previous version.
    static let proofMigration = Migration(
        module: "accounts", name: "0007-proofs",
        sql: """
            CREATE TABLE proof (
                session_id {text} NOT NULL REFERENCES session(id) ON DELETE CASCADE,
                act {text} NOT NULL CHECK (act IN ('email', 'passkey', 'identity', 'password', 'export', 'deletion')),
                expires_at {integer} NOT NULL,
                PRIMARY KEY (session_id, act)
            ) {strict};
            CREATE INDEX proof_expiry ON proof (expires_at);
            ALTER TABLE provider_attempt ADD COLUMN act {text};
            DROP TABLE passkey_challenge;
            CREATE TABLE passkey_challenge (
                challenge_hash {blob} PRIMARY KEY,
                purpose {text} NOT NULL CHECK (purpose IN ('register', 'unlock', 'sign-in', 'prove')),
                act {text},
                account_id {text} REFERENCES account(id) ON DELETE CASCADE,
                session_id {text} REFERENCES session(id) ON DELETE CASCADE,
                browser_hash {blob},
                network_hash {blob} NOT NULL,
                expires_at {integer} NOT NULL,
                CHECK ((purpose = 'prove') = (act IS NOT NULL)),
                CHECK ((purpose = 'sign-in') = (session_id IS NULL)),
                CHECK ((purpose = 'sign-in') = (browser_hash IS NOT NULL)),
                CHECK ((account_id IS NULL) = (session_id IS NULL))
            ) {strict};
            CREATE INDEX passkey_challenge_account ON passkey_challenge (account_id);
            CREATE INDEX passkey_challenge_session ON passkey_challenge (session_id);
            CREATE INDEX passkey_challenge_network ON passkey_challenge (network_hash);
            CREATE INDEX passkey_challenge_expiry ON passkey_challenge (expires_at);
            CREATE TABLE email_change (
                account_id {text} PRIMARY KEY REFERENCES account(id) ON DELETE CASCADE,
                email {text} NOT NULL,
                email_key {text} NOT NULL,
                code_hash {blob} NOT NULL UNIQUE,
                expires_at {integer} NOT NULL
            ) {strict};
            CREATE INDEX email_change_expiry ON email_change (expires_at);
            CREATE TABLE email_undo (
                code_hash {blob} PRIMARY KEY,
                account_id {text} NOT NULL REFERENCES account(id) ON DELETE CASCADE,
                email {text} NOT NULL,
                email_key {text} NOT NULL,
                verified_at {integer} NOT NULL,
                created_at {integer} NOT NULL,
                expires_at {integer} NOT NULL
            ) {strict};
            CREATE INDEX email_undo_account ON email_undo (account_id);
            CREATE INDEX email_undo_email ON email_undo (email_key);
            CREATE INDEX email_undo_expiry ON email_undo (expires_at)
            """
    )

    /// Proofs for the acts that change the parents of a family.
    static let familyProofMigration = proofActsMigration("0010-family-proofs", [firstActs])

    /// Proofs for erasing a deleted child.
    static let erasureProofMigration = proofActsMigration("0011-erasure-proofs", ["\(firstActs),", "'erasure'"])

    /// Proofs for sensitive acts of an administrator.
    static let administrationProofMigration = proofActsMigration(
        "0013-administration-proofs", ["\(firstActs),", "'erasure', 'administration'"])

    /// Proofs for creating an access token.
    static let accessTokenProofMigration = proofActsMigration(
        "0016-access-token-proofs", ["\(firstActs),", "'erasure', 'administration', 'access-token'"])

    /// Proofs for letting a person manage an item.
    static let itemManagementProofMigration = proofActsMigration(
        "0019-item-management-proofs",
        ["\(firstActs),", "'erasure', 'administration', 'access-token', 'item-management'"])

    private static let firstActs =
        "'email', 'passkey', 'identity', 'password', 'export', 'deletion', 'invitation', 'leaving', 'removal'"

    /// Returns the migration that allows proofs for these acts.
    /// - Parameter acts: the list of all acts in SQL, in lines. Their division is part of the published text.
    private static func proofActsMigration(_ name: String, _ acts: [String]) -> Migration {
        Migration(
            module: "accounts", name: name,
            rebuildingOnSQLite: """
                CREATE TABLE proof_new (
                    session_id {text} NOT NULL REFERENCES session(id) ON DELETE CASCADE,
                    act {text} NOT NULL CHECK (act IN (
                        \(acts.joined(separator: "\n        "))
                    )),
                    expires_at {integer} NOT NULL,
                    PRIMARY KEY (session_id, act)
                ) {strict};
                INSERT INTO proof_new (session_id, act, expires_at) SELECT session_id, act, expires_at FROM proof;
                DROP TABLE proof;
                ALTER TABLE proof_new RENAME TO proof;
                CREATE INDEX proof_expiry ON proof (expires_at)
                """,
            alteringOnPostgres: """
                ALTER TABLE proof DROP CONSTRAINT proof_act_check;
                ALTER TABLE proof ADD CONSTRAINT proof_act_check CHECK (act IN (
                    \(acts.joined(separator: "\n    "))
                ))
                """
        )
    }
}
