extension Limits {
    /// The window in which mails count.
    package static let mailThrottleSeconds: Int64 = 60 * 60
    /// Password resets sent to one address in ``mailThrottleSeconds``, and as many other mails; security notices don't count.
    package static let mailsPerRecipient = 3
    /// Password resets that one network requests in ``mailThrottleSeconds``, and as many other mails.
    package static let mailsPerNetwork = 100
    /// Mails waiting in the lane of the links that people ask for; a further one is dropped, and people can ask again.
    package static let mailQueue = 1_000
    /// Mails waiting in the lane of the security notices.
    package static let mailQueueSecurity = 10_000
    /// Seconds after which a mail that could not be sent is given up.
    package static let mailKeptSeconds: Int64 = 3 * 24 * 60 * 60
    /// Seconds for which a server that sends a mail has it for itself: longer than ``letterSeconds``.
    package static let mailLeaseSeconds: Int64 = 60
    /// Seconds until the second try of a mail; doubled with each further one, up to ``mailRetrySecondsMaximum``.
    package static let mailRetrySeconds: Int64 = 30
    /// Seconds between two tries of a mail at the most.
    package static let mailRetrySecondsMaximum: Int64 = 60 * 60
    /// Seconds between two looks for mails that another process queued, or that are to be tried again.
    package static let mailLookSeconds = 5
    /// Seconds that the mail command may take for one mail.
    package static let letterSeconds = 30
}
