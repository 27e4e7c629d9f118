import Storage

extension AccountServices {
    /// The passcode lock of an account. Counter and wait belong to the account, so more sessions, tabs or nodes give no
    /// more tries.
    static let appLockMigration = Migration(
        module: "accounts", name: "0004-app-lock",
        sql: """
            CREATE TABLE app_lock (
                account_id {text} PRIMARY KEY REFERENCES account(id) ON DELETE CASCADE,
                passcode {text} NOT NULL,
                set_at {integer} NOT NULL,
                lock_after_minutes {integer} NOT NULL CHECK (lock_after_minutes BETWEEN 1 AND 1440),
                wrong_tries {integer} NOT NULL DEFAULT 0 CHECK (wrong_tries BETWEEN 0 AND 5),
                wait_until {integer},
                touch_id {integer} CHECK (touch_id IN (0, 1))
            ) {strict};
            CREATE TABLE app_lock_offer (
                account_id {text} PRIMARY KEY REFERENCES account(id) ON DELETE CASCADE,
                declined_at {integer} NOT NULL
            ) {strict};
            ALTER TABLE session ADD COLUMN locked_at {integer};
            ALTER TABLE session ADD COLUMN was_locked {integer} NOT NULL DEFAULT 0 CHECK (was_locked IN (0, 1));
            ALTER TABLE session ADD COLUMN active_at {integer} NOT NULL DEFAULT 0
            """
    )
}
