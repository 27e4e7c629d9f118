extension Limits {
    /// The window in which mails are counted.
    package static let mailThrottleSeconds: Int64 = 60 * 60
    /// Password resets sent to one address in ``mailThrottleSeconds``, and as many other mails; security notices don't count.
    package static let mailsPerRecipient = 3
    /// Password resets that one network requests in ``mailThrottleSeconds``, and as many other mails.
    package static let mailsPerNetwork = 100
    /// Capacity of the lane of requested mails. A further mail is dropped, and can be requested again.
    package static let mailQueue = 1_000
    /// Capacity of the lane of security notices.
    package static let mailQueueSecurity = 10_000
    /// Seconds after which a mail that can't be sent is deleted.
    package static let mailKeptSeconds: Int64 = 3 * 24 * 60 * 60
    /// Duration of the lease of a mail, longer than ``letterSeconds``.
    package static let mailLeaseSeconds: Int64 = 60
    /// Seconds until the second attempt to send a mail. Doubles with each further one, up to ``mailRetrySecondsMaximum``.
    package static let mailRetrySeconds: Int64 = 30
    /// The longest pause between two attempts to send a mail.
    package static let mailRetrySecondsMaximum: Int64 = 60 * 60
    /// Seconds between two polls for mails that another process queued or that are due again.
    package static let mailLookSeconds = 5
    /// Time limit of the mail command for one mail.
    package static let letterSeconds = 30
}
