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
}
