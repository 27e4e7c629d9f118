import Storage

extension AccountServices {
    /// The latest result of each mail, without its contents. A person's rows are deleted with the account.
    static let mailLogMigration = Migration(
        module: "accounts", name: "0014-mail-log",
        sql: """
            CREATE TABLE mail_log (
                id {text} PRIMARY KEY,
                account_id {text} REFERENCES account(id) ON DELETE CASCADE,
                recipient {text} NOT NULL,
                kind {text} NOT NULL,
                lane {text} NOT NULL,
                result {text} NOT NULL,
                message {text},
                reply_code {integer},
                reply_status {text},
                attempts {integer} NOT NULL,
                updated_at {integer} NOT NULL
            ) {strict};
            CREATE INDEX mail_log_account ON mail_log (account_id);
            CREATE INDEX mail_log_updated ON mail_log (updated_at, id)
            """
    )
}
