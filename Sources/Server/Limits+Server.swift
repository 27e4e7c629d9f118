package import Kernel

extension Limits {
    /// Seconds between two checks for replaced certificate files.
    package static let certificatePollSeconds = 30
    /// Open connections; further ones wait in the system's queue.
    package static let connections = 20_000
    /// Open connections of one network, a tenth of ``connections``; trusted proxies have no limit.
    package static let connectionsPerNetwork = 2_000
    /// Seconds between two warnings about networks that have reached ``connectionsPerNetwork``.
    package static let connectionWarningSeconds: Double = 60
    /// Seconds in which a client sends a request or reads a response, plus the time for its size at
    /// ``connectionBytesPerSecond``.
    package static let connectionGraceSeconds: Int64 = 60
    /// The lowest average rate of a request or a response, in bytes per second: 43 minutes for a photo of 10 MiB.
    package static let connectionBytesPerSecond: Int64 = 4_096

    /// Milliseconds between the first attempts to reach the database at start-up, doubled up to
    /// ``databaseWaitMillisecondsMaximum``.
    package static let databaseWaitMilliseconds = 250
    /// The maximum number of milliseconds between two attempts to reach the database at start-up.
    package static let databaseWaitMillisecondsMaximum = 5_000
    /// Seconds between two log lines that report that the server waits for its database.
    package static let databaseWaitLogSeconds: Int64 = 60

    /// Seconds after which the poller checks for work even without a wake-up.
    package static let trackerPollWakeSeconds: Int64 = 60
    /// Webhook secrets valid at the same time, so that a secret can be rotated.
    package static let webhookSecrets = 4

    /// Seconds of a node's lease of the maintenance. When the node dies, another one takes over after them.
    static let maintenanceLeaseSeconds: Int64 = 30
    /// The longest pause in seconds of a maintenance task that fails.
    static let maintenanceRetryMaximumSeconds: Int64 = 60
    /// Seconds between two scans for idle sessions that are not locked yet.
    static let lockSweepSeconds: Int64 = 10

    /// Seconds between two checks for work that a server of an earlier version queued.
    static let earlierWorkSeconds: Int64 = 5

    /// Seconds between two checks for fixes to archive.
    static let archiveSeconds: Int64 = 15

    /// Seconds that an event is kept in the outbox.
    package static let outboxSeconds: Int64 = 7 * 24 * 60 * 60
    /// Seconds after which an idempotency key expires and the request can run again: 90 days.
    package static let idempotencySeconds: Int64 = 90 * 24 * 60 * 60
    /// Seconds between two housekeeping runs.
    static let housekeepingSeconds: Int64 = 60
    /// Seconds between two checks for packages that were not picked up in time.
    static let deadlineSeconds: Int64 = 20
    /// Seconds between two runs that seal the ledger.
    package static let ledgerSealSeconds = 5
}
