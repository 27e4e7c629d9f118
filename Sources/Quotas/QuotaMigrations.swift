package import Storage

extension AccountQuotas {
    /// The migrations of this module. They run before those of Accounts, so `account_id` has no foreign key.
    package static let migrations: [Migration] = [
        Migration(
            module: "quotas",
            name: "0001-quotas",
            sql: """
                CREATE TABLE storage_quota (
                    account_id {text} PRIMARY KEY CHECK (length(account_id) = 36),
                    pictures {integer} CHECK (pictures >= 0),
                    fixes {integer} CHECK (fixes >= 0)
                ) {strict};
                CREATE TABLE storage_usage (
                    account_id {text} PRIMARY KEY CHECK (length(account_id) = 36),
                    pictures {integer} NOT NULL,
                    picture_bytes {integer} NOT NULL,
                    fixes {integer} NOT NULL,
                    bytes {integer} NOT NULL
                ) {strict};
                CREATE INDEX storage_usage_by_bytes ON storage_usage (bytes, account_id);
                CREATE TABLE storage_total (
                    id {integer} PRIMARY KEY CHECK (id = 1),
                    pictures {integer} NOT NULL,
                    picture_bytes {integer} NOT NULL,
                    fixes {integer} NOT NULL
                ) {strict}
                """
        )
    ]
}
