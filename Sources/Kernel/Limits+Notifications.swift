extension Limits {
    /// Notices that a person's feed keeps; housekeeping removes the oldest.
    package static let noticesPerPerson = 500
    /// Seconds that a notification stays in a feed that is too long: more than clocks may differ.
    package static let feedTrimAgeSeconds: Int64 = 60
    /// Seconds that the first round after a start looks back for feeds that have grown.
    package static let feedTrimFirstSeconds: Int64 = 24 * 60 * 60
    /// Bytes of a notice's details, as JSON.
    package static let noticeDetailBytes = 8 * 1024
    /// Devices of one person that messages are sent to; the oldest go.
    package static let pushSubscriptionsPerPerson = 20
    /// Bytes of the address that a push service gives a device.
    package static let pushEndpointBytes = 2 * 1024
    /// Bytes of a message before it is encrypted. Push services take 4096 of the encrypted form (RFC 8030, 7.2).
    package static let pushMessageBytes = 3 * 1024
    /// Characters of a message's title.
    package static let pushTitleCharacters = 120
    /// Characters of a message's text.
    package static let pushBodyCharacters = 400
    /// Seconds after which the warning that a thing is too far away is worth nothing any more.
    package static let pushWarningSeconds: Int64 = 4 * 60 * 60
    /// Seconds after which other messages are worth nothing any more.
    package static let pushMessageSeconds: Int64 = 24 * 60 * 60
    /// Attempts to hand over one message.
    package static let pushAttempts = 12
    /// Seconds until the second attempt, doubled with each further one.
    package static let pushRetrySeconds: Int64 = 15
    /// Seconds between two attempts at the most.
    package static let pushRetryMaximumSeconds: Int64 = 60 * 60
    /// Seconds that a sender holds a message which it has taken up: when it dies meanwhile, another one takes over.
    package static let pushClaimSeconds: Int64 = 60
    /// Messages taken up in one go.
    package static let pushBatch = 32
    /// Messages that are being handed over at once.
    package static let pushAtOnce = 8
    /// Seconds until a push service must have answered.
    package static let pushSeconds: Int64 = 15
    /// Seconds until a connection to a push service must stand.
    package static let pushConnectSeconds: Int64 = 5
    /// Bytes of a push service's answer.
    package static let pushAnswerBytes = 16 * 1024
    /// Seconds that a signature for push services holds; at most a day (RFC 8292, 2).
    package static let pushSignatureSeconds: Int64 = 12 * 60 * 60
    /// Seconds after which the sender looks for due messages even when nothing told it to.
    package static let pushLookSeconds: Int64 = 60
    /// Test messages that one person may send themselves in ``pushTestSeconds``.
    package static let pushTests = 10
    /// See ``pushTests``.
    package static let pushTestSeconds: Int64 = 10 * 60
}
