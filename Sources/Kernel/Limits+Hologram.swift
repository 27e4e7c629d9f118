extension Limits {
    /// Bytes of a message to a device in Hologram's API: its base64 text.
    package static let hologramMessageBytes = 10_000
    /// Bytes of one response of Hologram's API; a page of records is the largest.
    package static let hologramAnswerBytes = 8 * 1024 * 1024
    /// Records requested in one page.
    package static let hologramPageRecords = 100
    /// Pages read of one time span before a shorter span is requested.
    package static let hologramPagesPerPeriod = 20
    /// Time spans read in one run; the next run reads the rest.
    package static let hologramPeriods = 2_000
    /// Length in seconds of the time span requested at once while catching up.
    package static let hologramPeriodSeconds: Int64 = 60 * 60
    /// The minimum length in seconds of the time span requested at once.
    package static let hologramShortestPeriodSeconds: Int64 = 60
    /// Seconds before the last record seen that are read again, because Hologram may log records late.
    package static let hologramOverlapSeconds: Int64 = 2 * 60
    /// Seconds of history that the first read covers.
    package static let hologramFirstReadingSeconds: Int64 = 24 * 60 * 60

    /// Seconds until a request to Hologram times out.
    package static let hologramSeconds: Int64 = 20
    /// Seconds until connecting to Hologram times out.
    package static let hologramConnectSeconds: Int64 = 5
    /// Seconds to wait after "API rate limit exceeded"; Hologram's documentation asks for 5 to 10.
    package static let hologramBusySeconds: ClosedRange<Int64> = 5...10
    /// The longest wait in seconds that a response can request.
    package static let hologramLongestBusySeconds: Int64 = 60 * 60
    /// Seconds before the second attempt after a failure, doubled with each further one.
    package static let hologramRetrySeconds: Int64 = 5
    /// The maximum number of seconds between two attempts.
    package static let hologramRetryMaximumSeconds: Int64 = 5 * 60
    /// Seconds before the next attempt after Hologram rejected the key: an administrator has to correct the setting.
    package static let hologramRefusedKeySeconds: Int64 = 15 * 60
    /// Seconds of a node's lease of a message. When the node dies, another node takes over.
    package static let hologramLeaseSeconds: Int64 = 60
    /// Messages leased at once.
    package static let hologramBatch = 32
    /// Messages being delivered at once.
    package static let hologramConcurrency = 4
    /// Seconds until a switch command that Hologram accepted and no tracker confirmed is sent again; doubled with each
    /// repeat.
    package static let hologramRepeatSeconds: Int64 = 2 * 60
    /// The maximum number of seconds between two such repeats.
    package static let hologramRepeatMaximumSeconds: Int64 = 6 * 60 * 60
    /// Deliveries of one command at the most, including failed attempts.
    package static let hologramAttempts = 60

    /// Trackers whose position is requested in one transaction.
    package static let pollBatch = 100
    /// Seconds after a message to a tracker at which the server polls for its response.
    package static let hologramAnswerSeconds: Int64 = 20
    /// Seconds after which the poller checks for work even without a wake-up.
    package static let trackerPollWakeSeconds: Int64 = 60

    /// Candidate trackers tried as the sender of a message, out of those registered with the device that it came from.
    package static let trackersPerHologramDevice = 8
    /// Compact frames in one message from a device.
    package static let framesPerMessage = 400
    /// Objects of the bucket read in one run; the next run reads the rest.
    package static let importedObjects = 5_000
    /// Objects of the bucket held in memory at once.
    package static let importBatch = 200
    /// Bytes of one object that Hologram writes to the bucket.
    package static let importedObjectBytes = 64 * 1024
    /// Unusable cloud messages kept for the administrator.
    package static let cloudQuarantine = 1_000
    /// The minimum number of characters of a webhook's secret.
    package static let webhookSecretCharacters = 22
    /// Webhook secrets valid at the same time, so that a secret can be rotated.
    package static let webhookSecrets = 4
}
