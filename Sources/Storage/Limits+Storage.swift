package import Kernel

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
    package static let databaseClockMilliseconds: Int64 = 2_000
    /// Milliseconds of a round trip above which a comparison of clocks is ignored.
    package static let databaseClockRoundTripMilliseconds: Int64 = 1_000
    /// Seconds that a transaction may hold back events before the server logs a warning.
    package static let outboxHeldSeconds = 5
    /// The number of transactions by which the outbox's numbers jump after a failover, and by which a stream that
    /// resumes across it goes back. More than a failover can lose.
    package static let outboxLiftTransactions: Int64 = 1_000_000
    /// Milliseconds to wait for writers to finish before the outbox's numbers jump; tried again after a pause.
    package static let outboxLiftLockMilliseconds = 1_000

    /// Writes waiting for the disk before the server responds "unavailable".
    package static let writeQueue = 8_192
    /// The maximum number of writes committed together.
    package static let writeBatch = 512
    /// Connections to PostgreSQL that write.
    package static let databaseWriters = 8
    /// Attempts of a transaction that conflicts with another one.
    package static let transactionAttempts = 10
    /// Concurrent reads of the store, each on its own connection, so that writes never delay them.
    package static let databaseReaders = 4
    /// Reads waiting for a connection before the server responds "unavailable".
    package static let readQueue = 8_192
    /// Prepared statements kept by one database connection.
    package static let preparedStatements = 256
    /// Requests sent to PostgreSQL before their results are read, including preparations of statements.
    package static let pipelinedRequests = 32
    /// Bytes of a statement's values that are bound without a separate allocation.
    package static let statementScratchBytes = 4_096
    /// Milliseconds between two polls for changes made by another process.
    package static let databasePollMilliseconds = 250
    /// Seconds to wait for another process that writes to the SQLite file.
    package static let databaseBusySeconds = 10
    /// Milliseconds between two checks of whether the server that a request waits for has been replaced.
    static let databaseReplacementMilliseconds: Int64 = 500
    /// Seconds that connecting to PostgreSQL may take, for all servers of the URI together.
    package static let databaseConnectSeconds = 3
    /// Milliseconds until a server that failed is tried again while another one is silent.
    static let databaseConnectRetryMilliseconds: Int64 = 250
    /// Addresses of one host name that are tried.
    static let databaseAddresses = 4
    /// Seconds that a statement may wait for a row locked by another transaction.
    package static let databaseLockSeconds = 8
    /// Events that one transaction may publish.
    package static let eventsPerTransaction = 65_535
    /// Events that one statement inserts on PostgreSQL.
    package static let eventsPerStatement = 16
    /// Outbox rows removed in one transaction.
    package static let outboxPruneBatch = 5_000
    /// Idempotency keys deleted in one transaction.
    package static let idempotencyPruneBatch = 5_000
    /// Rows of PostgreSQL that a backup reads at once.
    package static let backupRows = 500
    /// Bytes of rows that a restore sends to PostgreSQL at once.
    package static let copyBytes = 256 * 1024
    /// Seconds that a restore waits for other transactions on PostgreSQL.
    package static let restoreLockSeconds = 60
    /// Copies of the SQLite file kept from before migrations; and as many from before restores.
    package static let storeCopies = 5
}
