extension Limits {
    /// Milliseconds that PostgreSQL may take for one statement; then it cancels the statement itself.
    package static let databaseStatementMilliseconds = 10_000
    /// Milliseconds after ``databaseStatementMilliseconds`` until a silent server counts as lost.
    package static let databaseGraceMilliseconds = 2_000
    /// Milliseconds that one statement of the connection that listens for events may take.
    package static let databaseListenMilliseconds = 5_000
    /// Milliseconds that one statement of a migration, or all of them together, may take.
    package static let databaseMigrationMilliseconds = 60 * 60 * 1_000
    /// Seconds that a transaction may stay open without a statement; then PostgreSQL ends its session.
    package static let databaseIdleTransactionSeconds = 10
    /// Seconds without traffic until either side of a connection to PostgreSQL sends a keepalive probe.
    package static let databaseKeepaliveIdleSeconds = 5
    /// Seconds between two keepalive probes.
    package static let databaseKeepaliveIntervalSeconds = 2
    /// Unanswered keepalive probes until the connection counts as lost.
    package static let databaseKeepaliveCount = 3
    /// Milliseconds that sent data may stay unconfirmed until the connection is lost (TCP_USER_TIMEOUT).
    package static let databaseUserTimeoutMilliseconds = 10_000
    /// The maximum difference in milliseconds between a node's clock and the database's while the node is ready.
    package static let databaseClockMilliseconds: Int64 = 5_000
    /// Milliseconds of a round trip above which a comparison of clocks is ignored.
    package static let databaseClockRoundTripMilliseconds: Int64 = 1_000
    /// Seconds that a transaction may hold back events before the server logs a warning.
    package static let outboxHeldSeconds = 5
    /// The number of transactions by which the outbox's numbers jump after a failover, and by which a stream that
    /// resumes across it goes back. More than a failover can lose.
    package static let outboxLiftTransactions: Int64 = 1_000_000
    /// Milliseconds to wait for writers to finish before the outbox's numbers jump; tried again after a pause.
    package static let outboxLiftLockMilliseconds = 1_000
    /// Milliseconds between the first attempts to reach the database at start-up, doubled up to
    /// ``databaseWaitMillisecondsMaximum``.
    package static let databaseWaitMilliseconds = 250
    /// The maximum number of milliseconds between two attempts to reach the database at start-up.
    package static let databaseWaitMillisecondsMaximum = 5_000
    /// Seconds between two log lines that report that the server waits for its database.
    package static let databaseWaitLogSeconds: Int64 = 60
}
