package import Kernel

extension Limits {
    /// Notifications kept per person; housekeeping removes the oldest.
    package static let noticesPerPerson = 500
    /// The seconds in which the notifications about one matter are counted (``FloodRule``).
    package static let noticeMatterSeconds: Int64 = hourSeconds
    /// The minimum age in seconds of a notification that housekeeping removes: more than clocks may differ.
    package static let feedTrimAgeSeconds: Int64 = 60
    /// Seconds that the first housekeeping run after a start looks back for lists of notifications that have grown.
    package static let feedTrimFirstSeconds: Int64 = 24 * 60 * 60
    /// Bytes of a notification's details, as JSON.
    package static let noticeDetailBytes = 8 * 1024
    /// Devices of one person with push notifications; a further one replaces the oldest.
    package static let pushSubscriptionsPerPerson = 20
    /// Bytes of a push subscription's endpoint URL.
    package static let pushEndpointBytes = 2 * 1024
    /// Bytes of a message before encryption. Push services accept 4096 bytes of the encrypted form (RFC 8030, 7.2).
    package static let pushMessageBytes = 3 * 1024
    /// Characters of a message's title.
    package static let pushTitleCharacters = 120
    /// Characters of a message's text.
    package static let pushBodyCharacters = 400
    /// Seconds after which a separation alert expires.
    package static let pushWarningSeconds: Int64 = 4 * 60 * 60
    /// Seconds after which other messages expire.
    package static let pushMessageSeconds: Int64 = 24 * 60 * 60
    /// Attempts to deliver one message.
    package static let pushAttempts = 12
    /// Seconds until the second attempt, doubled with each further one.
    package static let pushRetrySeconds: Int64 = 15
    /// The maximum number of seconds between two attempts.
    package static let pushRetryMaximumSeconds: Int64 = 60 * 60
    /// Duration of a message's lease in seconds, longer than an attempt.
    package static let pushLeaseSeconds: Int64 = 60
    /// Capacity of the queue of push messages. Further messages are dropped; the notifications stay in the feed.
    package static let pushQueue = 100_000
    /// Messages of earlier versions that one transaction moves to the job queue.
    static let movedPushMessagesPerStep = 100
    /// Messages being delivered at once.
    package static let pushConcurrency = 8
    /// Seconds until a request to a push service times out.
    package static let pushSeconds: Int64 = 15
    /// Seconds until connecting to a push service times out.
    package static let pushConnectSeconds: Int64 = 5
    /// Bytes of a push service's response.
    package static let pushResponseBytes = 16 * 1024
    /// Seconds that a signature for push services is valid; at most a day (RFC 8292, 2).
    package static let pushSignatureSeconds: Int64 = 12 * 60 * 60
    /// Test messages that one person can send to themselves in ``pushTestSeconds``.
    package static let pushTestMessages = 10
    /// The window in which test messages count.
    package static let pushTestSeconds: Int64 = 10 * 60

    /// The newest subscriptions whose push services are checked.
    static let pushCheckSubscriptions = 50
    /// Push services that are checked.
    static let pushCheckHosts = 4
}
