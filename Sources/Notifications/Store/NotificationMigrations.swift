package import Storage

extension NotificationService {
    /// The migrations of this module. Those of the accounts run before.
    package static let migrations: [Migration] = [
        Migration(
            module: "notifications", name: "0001-notices",
            sql: """
                CREATE TABLE notice (
                    id {text} PRIMARY KEY,
                    account_id {text} NOT NULL REFERENCES account(id) ON DELETE CASCADE,
                    kind {text} NOT NULL,
                    resource {text} NOT NULL,
                    subject {text} NOT NULL,
                    details {text} NOT NULL,
                    at {integer} NOT NULL,
                    read_at {integer}
                ) {strict};
                CREATE INDEX notice_account ON notice (account_id, at, id);
                CREATE TABLE notice_setting (
                    account_id {text} PRIMARY KEY REFERENCES account(id) ON DELETE CASCADE,
                    muted {text} NOT NULL,
                    hides_details {integer} NOT NULL CHECK (hides_details IN (0, 1))
                ) {strict-rowless};
                CREATE TABLE push_subscription (
                    id {text} PRIMARY KEY,
                    account_id {text} NOT NULL REFERENCES account(id) ON DELETE CASCADE,
                    session_id {text} NOT NULL UNIQUE REFERENCES session(id) ON DELETE CASCADE,
                    endpoint {text} NOT NULL UNIQUE,
                    p256dh {blob} NOT NULL,
                    auth {blob} NOT NULL,
                    language {text} NOT NULL,
                    created_at {integer} NOT NULL
                ) {strict};
                CREATE INDEX push_subscription_account ON push_subscription (account_id, created_at);
                CREATE TABLE push_delivery (
                    notice_id {text} NOT NULL REFERENCES notice(id) ON DELETE CASCADE,
                    subscription_id {text} NOT NULL REFERENCES push_subscription(id) ON DELETE CASCADE,
                    attempts {integer} NOT NULL DEFAULT 0,
                    next_at {integer} NOT NULL,
                    expires_at {integer} NOT NULL,
                    PRIMARY KEY (notice_id, subscription_id)
                ) {strict-rowless};
                CREATE INDEX push_delivery_due ON push_delivery (next_at);
                CREATE INDEX push_delivery_subscription ON push_delivery (subscription_id)
                """
        ),
        Migration(
            module: "notifications", name: "0002-trim",
            sql: "CREATE INDEX notice_at ON notice (at, account_id)"
        ),
        Migration(
            module: "notifications", name: "0003-matters",
            sql: """
                ALTER TABLE notice ADD COLUMN matter {text};
                ALTER TABLE notice ADD COLUMN further {integer} NOT NULL DEFAULT 0;
                ALTER TABLE notice ADD COLUMN newest_id {text};
                ALTER TABLE notice ADD COLUMN posted_at {integer} NOT NULL DEFAULT 0;
                CREATE TABLE notice_withdrawn (
                    notice_id {text} PRIMARY KEY,
                    account_id {text} NOT NULL REFERENCES account(id) ON DELETE CASCADE,
                    kind {text} NOT NULL,
                    matter {text} NOT NULL,
                    posted_at {integer} NOT NULL
                ) {strict-rowless};
                CREATE INDEX notice_withdrawn_account ON notice_withdrawn (account_id, posted_at);
                CREATE INDEX notice_withdrawn_time ON notice_withdrawn (posted_at)
                """
        ),
        Migration(
            module: "notifications", name: "0004-people",
            sql: """
                CREATE TABLE notice_person (
                    notice_id {text} NOT NULL REFERENCES notice(id) ON DELETE CASCADE,
                    detail {text} NOT NULL,
                    person_id {text} NOT NULL,
                    PRIMARY KEY (notice_id, detail)
                ) {strict-rowless};
                CREATE INDEX notice_person_person ON notice_person (person_id)
                """
        ),
    ]
}
