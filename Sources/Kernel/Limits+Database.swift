extension Limits {
    /// Milliseconds that PostgreSQL may take for one statement; then it cancels the statement itself.
    package static let databaseStatementMilliseconds = 10_000
    /// Milliseconds after ``databaseStatementMilliseconds`` until a server that sent nothing counts as lost.
    package static let databaseGraceMilliseconds = 2_000
    /// Milliseconds that one statement of the connection that listens for events may take.
    package static let databaseListenMilliseconds = 5_000
    /// Milliseconds that all statements of a migration together, or one of them, may take.
    package static let databaseMigrationMilliseconds = 60 * 60 * 1_000
    /// Seconds that a transaction may stay open without a statement; then PostgreSQL ends its session.
    package static let databaseIdleTransactionSeconds = 10
    /// Seconds without traffic until either side of a connection to PostgreSQL asks whether the other is alive.
    package static let databaseKeepaliveIdleSeconds = 5
    /// Seconds between two such questions.
    package static let databaseKeepaliveIntervalSeconds = 2
    /// Such questions without an answer until the connection is lost.
    package static let databaseKeepaliveCount = 3
    /// Milliseconds that sent data may stay unconfirmed until the connection is lost (TCP_USER_TIMEOUT).
    package static let databaseUserTimeoutMilliseconds = 10_000
    /// Milliseconds by which a node's clock may differ from the database's while the node is ready.
    package static let databaseClockMilliseconds: Int64 = 5_000
    /// Milliseconds of a round trip above which a comparison of clocks says nothing.
    package static let databaseClockRoundTripMilliseconds: Int64 = 1_000
    /// Seconds that events may wait for a transaction before the log says so.
    package static let outboxHeldSeconds = 5
    /// Transactions by which the outbox's numbers jump after a failover, and by which a stream that resumes across it
    /// goes back: more than a failover can lose.
    package static let outboxLiftTransactions: Int64 = 1_000_000
    /// Milliseconds to wait for writers to end before the outbox's numbers jump; tried again after a pause.
    package static let outboxLiftLockMilliseconds = 1_000
    /// Milliseconds between the first tries to reach the database at the start, doubled up to
    /// ``databaseWaitMillisecondsMaximum``.
    package static let databaseWaitMilliseconds = 250
    /// Milliseconds between two tries to reach the database at the start, at the most.
    package static let databaseWaitMillisecondsMaximum = 5_000
    /// Seconds between two lines of the log that say that the server waits for its database.
    package static let databaseWaitLogSeconds: Int64 = 60
}
