import Storage

extension AccountServices {
    static let accessTokenMigration = Migration(
        module: "accounts", name: "0015-access-tokens",
        sql: """
            CREATE TABLE access_token (
                id {text} PRIMARY KEY,
                account_id {text} NOT NULL REFERENCES account(id) ON DELETE CASCADE,
                token_hash {blob} NOT NULL UNIQUE,
                name {text} NOT NULL,
                scopes {text} NOT NULL,
                created_at {integer} NOT NULL,
                expires_at {integer} NOT NULL,
                last_used_at {integer},
                reminded_at {integer}
            ) {strict};
            CREATE INDEX access_token_account ON access_token (account_id, id);
            CREATE INDEX access_token_expiry ON access_token (expires_at)
            """
    )

    /// Proofs for creating an access token.
    static let accessTokenProofMigration = Migration(
        module: "accounts", name: "0016-access-token-proofs",
        rebuildingOnSQLite: """
            CREATE TABLE proof_new (
                session_id {text} NOT NULL REFERENCES session(id) ON DELETE CASCADE,
                act {text} NOT NULL CHECK (act IN (
                    'email', 'passkey', 'identity', 'password', 'export', 'deletion', 'invitation', 'leaving', 'removal',
                    'erasure', 'administration', 'access-token'
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
                'email', 'passkey', 'identity', 'password', 'export', 'deletion', 'invitation', 'leaving', 'removal',
                'erasure', 'administration', 'access-token'
            ))
            """
    )
}
