import Storage

extension AccountServices {
    /// `import_record` maps each imported record to its copy, so that the same record of another archive adds no second
    /// one.
    static let importMigration = Migration(
        module: "accounts", name: "0017-imports",
        sql: """
            CREATE TABLE account_import (
                id {text} PRIMARY KEY,
                account_id {text} NOT NULL UNIQUE REFERENCES account(id) ON DELETE CASCADE,
                state {text} NOT NULL CHECK (state IN ('ready', 'running', 'done', 'failed')),
                preview {text} NOT NULL,
                includes_profile {integer} NOT NULL DEFAULT 0 CHECK (includes_profile IN (0, 1)),
                byte_count {integer} NOT NULL CHECK (byte_count >= 0),
                done_count {integer} NOT NULL DEFAULT 0 CHECK (done_count >= 0),
                refused_count {integer} NOT NULL DEFAULT 0 CHECK (refused_count >= 0),
                message {text},
                version {integer} NOT NULL DEFAULT 1 CHECK (version >= 1),
                created_at {integer} NOT NULL,
                expires_at {integer} NOT NULL
            ) {strict};
            CREATE INDEX account_import_expiry ON account_import (expires_at);
            CREATE TABLE import_record (
                account_id {text} NOT NULL REFERENCES account(id) ON DELETE CASCADE,
                kind {text} NOT NULL,
                source_id {text} NOT NULL,
                local_id {text} NOT NULL,
                PRIMARY KEY (account_id, kind, source_id)
            ) {strict-rowless};
            CREATE INDEX import_record_source ON import_record (kind, source_id)
            """
    )
}
