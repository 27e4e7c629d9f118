import Storage

extension AccountServices {
    /// Settings that administrators change while the server runs, the set-up of a new server, invitations, disabled
    /// accounts, and the audit log. On a server that has accounts, registration was open and stays so.
    static let administrationMigration = Migration(
        module: "accounts", name: "0012-administration",
        sql: """
            ALTER TABLE account ADD COLUMN disabled_at {integer};
            CREATE INDEX account_operator ON account (id) WHERE is_operator = 1;
            CREATE INDEX account_name ON account (lower(name), id);
            CREATE TABLE server_setting (
                name {text} PRIMARY KEY,
                value {text} NOT NULL,
                changed_at {integer} NOT NULL
            ) {strict};
            INSERT INTO server_setting (name, value, changed_at)
                SELECT 'registration', 'open', 0 WHERE EXISTS (SELECT 1 FROM account);
            CREATE TABLE setup_code (
                code_hash {blob} PRIMARY KEY,
                created_at {integer} NOT NULL
            ) {strict};
            CREATE TABLE server_invitation (
                id {text} PRIMARY KEY,
                code_hash {blob} NOT NULL UNIQUE,
                email {text},
                created_by {text} REFERENCES account(id) ON DELETE SET NULL,
                created_at {integer} NOT NULL,
                expires_at {integer} NOT NULL
            ) {strict};
            CREATE INDEX server_invitation_expiry ON server_invitation (expires_at);
            CREATE INDEX server_invitation_creator ON server_invitation (created_by);
            CREATE TABLE audit_entry (
                id {text} PRIMARY KEY,
                at {integer} NOT NULL,
                actor_id {text},
                action {text} NOT NULL,
                subject {text},
                detail {text}
            ) {strict};
            CREATE INDEX audit_entry_at ON audit_entry (at, id)
            """
    )
}
