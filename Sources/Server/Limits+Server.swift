package import Kernel

extension Limits {
    /// Seconds of the lease of a verification of the ledger, which is renewed while it runs.
    package static let ledgerVerificationLeaseSeconds: Int64 = 60
    /// Capacity of the queue of verifications, of which there is one at a time.
    static let ledgerVerificationJobs = 16
    /// Attempts of a verification that an administrator requested.
    package static let ledgerVerificationAttempts = 3
    /// Seconds after which a requested verification is no longer attempted.
    package static let ledgerVerificationExpirySeconds: Int64 = 24 * 60 * 60
    /// The maximum number of seconds for which a stopping server still serves requests.
    static let drainSeconds = 60
    /// Seconds after draining until a stopping server gives up what it still serves. Service managers kill it later
    /// than both together.
    static let shutdownSeconds = 10
    /// Seconds between two tests of whether a check for updates is due. A failed one is repeated then.
    static let updatePollSeconds: Int64 = 60 * 60
    /// Seconds in which the document with the newest version must be read.
    static let updateSeconds: Int64 = 30
    /// Bytes of that document.
    static let updateDocumentBytes = 4 * 1024 * 1024
    /// Seconds between two checks for replaced certificate files.
    package static let certificatePollSeconds = 30
    /// The age in hours of the newest backup from which an administrator is warned.
    package static let backupAgeHours = 48
    /// Free bytes of the data folder's disk below which an administrator is warned.
    package static let freeDiskBytes: Int64 = 1 << 30
    /// Seconds in which the server must respond to `homeward health`.
    package static let healthCheckSeconds: Int64 = 5
    /// Seconds in which a service that the settings name must respond to a check: more than ten for a mail server that
    /// greets late.
    static let connectionCheckSeconds = 15
    /// Bytes of the response to a check of the public address.
    static let healthCheckBytes = 1_024
    /// Open connections; further ones wait in the system's queue.
    package static let connections = 20_000
    /// Open connections of one network, a tenth of ``connections``, and its open HTTP/2 streams. The limit doesn't
    /// apply to trusted proxies.
    package static let connectionsPerNetwork = 2_000
    /// Seconds between two warnings about a reached limit of connections, and between two about one of HTTP/2 streams.
    package static let connectionWarningSeconds: Double = 60
    /// Seconds in which a client sends a request or reads a response, plus the time for its size at
    /// ``connectionBytesPerSecond``.
    package static let connectionGraceSeconds: Int64 = 60
    /// The lowest average rate of a request or a response, in bytes per second: 43 minutes for a photo of 10 MiB.
    package static let connectionBytesPerSecond: Int64 = 4_096
    /// Seconds without a request after which a connection is closed.
    package static let connectionIdleSeconds: Int64 = 75
    /// Bytes of a connection's first read: the request of a browser that opens a stream has about 800.
    static let connectionReadBytes = 1_024
    /// Bytes of a request's headers. In HTTP/2, each field counts 32 bytes more (RFC 9113, 6.5.2).
    package static let headerBytes = 32 * 1024

    /// Open HTTP/2 streams of one connection; RFC 9113 (6.5.2) recommends at least 100. Browsers assume it until they
    /// know the server's limit. A connection that exceeds it is closed.
    package static let http2Streams = 100
    /// Open HTTP/2 streams of all networks together, those of trusted proxies included: as many as ``connections``.
    package static let http2StreamsInAll = 20_000
    /// Bytes of one HTTP/2 stream that a client may send before the server has read them.
    static let http2StreamWindowBytes = 64 * 1024
    /// Bytes of one HTTP/2 connection in flight. The library reopens this window on receipt; only the windows of
    /// streams limit memory.
    static let http2WindowBytes = 1024 * 1024
    /// Seconds for which the frames of an HTTP/2 connection are counted that only a hostile client sends often.
    static let http2RateSeconds: Int64 = 30
    /// Streams of one HTTP/2 connection that its client may reset in ``http2RateSeconds``. A stream that is reset at
    /// once costs the server a request, and the client nothing (CVE-2023-44487).
    package static let http2Resets = 200
    /// PING, SETTINGS and PRIORITY frames of one HTTP/2 connection in ``http2RateSeconds``. The server answers them
    /// (CVE-2019-9512, CVE-2019-9515).
    package static let http2ControlFrames = 200
    /// CONTINUATION frames of one request's headers (CVE-2024-27316): more than ``headerBytes`` need.
    package static let http2Continuations = 5
    /// DATA frames without bytes on a connection since its last HEADERS or END_STREAM (CVE-2019-9518).
    static let http2EmptyDataFrames = 1
    /// Responses to PING and SETTINGS frames that wait for a client that doesn't read them (CVE-2019-9512).
    static let http2BufferedControlFrames = 1_000
    /// Seconds that a client has to close an HTTP/2 connection without streams after the server's GOAWAY. A client that
    /// is gone takes ``tlsCloseSeconds`` more, and both must fit into the server's shutdown.
    package static let http2CloseSeconds: Int64 = 2
    /// Seconds that a client has to answer the end of its TLS connection (`close_notify`).
    static let tlsCloseSeconds: Int64 = 2

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

    /// Seconds between two checks for positions that change stays and trips.
    static let episodeSeconds: Int64 = 15

    /// Seconds between two runs of the job that requests addresses.
    static let addressRequestSeconds: Int64 = 1

    /// Seconds that an event is kept in the outbox.
    package static let outboxSeconds: Int64 = 7 * 24 * 60 * 60
    /// Seconds after which an idempotency key expires and the request can run again: 90 days.
    package static let idempotencySeconds: Int64 = 90 * 24 * 60 * 60
    /// Seconds between two looks for evaluations of separations that are due to be stored.
    package static let separationStoreSeconds = 15
    /// Seconds between two housekeeping runs.
    static let housekeepingSeconds: Int64 = 60
    /// Seconds between two counts of how much each account stores.
    static let storageCountSeconds: Int64 = 15 * 60
    /// Seconds between two checks for packages that were not picked up in time.
    static let deadlineSeconds: Int64 = 20
    /// Seconds between two checks of whether a regular backup is due.
    static let backupCheckSeconds: Int64 = 60
    /// Seconds before a regular backup that failed is tried again.
    package static let backupRetrySeconds: Int64 = 60 * 60
    /// Bytes of the file with the end of the ledger's chain.
    static let ledgerHeadBytes = 1_024
    /// The space that a restore needs beside the database's own, in sizes of the database.
    static let restoreCopies: Int64 = 3
    /// Seconds between two readings of the metrics that need the database or the file system.
    package static let metricSampleSeconds = 15
    /// Readings of these metrics that can be missing before their last values are no longer exported.
    static let metricSamplesMissed = 3
    /// Seconds between two runs that seal the ledger.
    package static let ledgerSealSeconds = 5
}
