import Storage

extension AccountServices {
    /// The tables of passkeys and of open challenges. Of a challenge and its browser only hashes are stored.
    static let passkeyMigration = Migration(
        module: "accounts", name: "0005-passkeys",
        sql: """
            CREATE TABLE passkey (
                id {text} PRIMARY KEY,
                account_id {text} NOT NULL REFERENCES account(id) ON DELETE CASCADE,
                credential_id {blob} NOT NULL UNIQUE,
                public_key {blob} NOT NULL,
                algorithm {integer} NOT NULL CHECK (algorithm IN (-7, -257)),
                sign_count {integer} NOT NULL CHECK (sign_count BETWEEN 0 AND 4294967295),
                is_backup_eligible {integer} NOT NULL CHECK (is_backup_eligible IN (0, 1)),
                is_backed_up {integer} NOT NULL CHECK (is_backed_up IN (0, 1)),
                transports {text} NOT NULL,
                name {text} NOT NULL,
                created_at {integer} NOT NULL,
                last_used_at {integer}
            ) {strict};
            CREATE INDEX passkey_account ON passkey (account_id, id);
            CREATE TABLE passkey_challenge (
                challenge_hash {blob} PRIMARY KEY,
                purpose {text} NOT NULL CHECK (purpose IN ('register', 'unlock', 'sign-in')),
                account_id {text} REFERENCES account(id) ON DELETE CASCADE,
                session_id {text} REFERENCES session(id) ON DELETE CASCADE,
                browser_hash {blob},
                network_hash {blob} NOT NULL,
                expires_at {integer} NOT NULL,
                CHECK ((purpose = 'sign-in') = (session_id IS NULL)),
                CHECK ((purpose = 'sign-in') = (browser_hash IS NOT NULL)),
                CHECK ((account_id IS NULL) = (session_id IS NULL))
            ) {strict};
            CREATE INDEX passkey_challenge_account ON passkey_challenge (account_id);
            CREATE INDEX passkey_challenge_session ON passkey_challenge (session_id);
            CREATE INDEX passkey_challenge_network ON passkey_challenge (network_hash);
            CREATE INDEX passkey_challenge_expiry ON passkey_challenge (expires_at)
            """
    )
}
