package import Storage

extension JobQueue {
    /// The migrations of this module; they don't depend on other modules' tables.
    package static let migrations: [Migration] = [
        Migration(
            module: "jobs", name: "0001-jobs",
            // `attempts` counts all leases and identifies the current one. `earlier_attempts` counts those before the
            // job last succeeded, or before an administrator retried it. `dead_at` is set for dead jobs, which have an
            // index of their own, so that they don't slow down the queue.
            sql: """
                CREATE TABLE job (
                    id {text} PRIMARY KEY,
                    lane {text} NOT NULL,
                    kind {text} NOT NULL,
                    subject {text} NOT NULL,
                    name {text},
                    payload {blob},
                    attempts {integer} NOT NULL DEFAULT 0 CHECK (attempts >= 0),
                    earlier_attempts {integer} NOT NULL DEFAULT 0,
                    due_at {integer} NOT NULL,
                    queued_at {integer} NOT NULL,
                    expires_at {integer} NOT NULL,
                    last_error {text},
                    dead_at {integer},
                    CHECK (payload IS NOT NULL OR dead_at IS NOT NULL)
                ) {strict};
                CREATE INDEX job_due ON job (lane, due_at, id) WHERE dead_at IS NULL;
                CREATE INDEX job_dead ON job (lane, dead_at, id) WHERE dead_at IS NOT NULL;
                CREATE UNIQUE INDEX job_name ON job (lane, name) WHERE name IS NOT NULL AND dead_at IS NULL
                """
        ),
        Migration(
            module: "jobs", name: "0002-expedited-jobs",
            // While a job is leased, `due_at` is the end of its lease. `again_at` is the time to which it was
            // expedited, if it may be performed before.
            sql: """
                ALTER TABLE job ADD COLUMN is_leased {integer} NOT NULL DEFAULT 0;
                ALTER TABLE job ADD COLUMN again_at {integer}
                """
        ),
    ]
}
