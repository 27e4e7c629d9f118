extension Limits {
    /// The window in which emails are counted.
    package static let mailThrottleSeconds: Int64 = 60 * 60
    /// Password resets sent to one address in ``mailThrottleSeconds``, and as many other emails; security emails don't
    /// count.
    package static let mailsPerRecipient = 3
    /// Password resets that one network requests in ``mailThrottleSeconds``, and as many other emails.
    package static let mailsPerNetwork = 100
    /// Capacity of the queue of requested emails. A further email is dropped and can be requested again.
    package static let mailQueue = 1_000
    /// Capacity of the queue of security emails.
    package static let mailQueueSecurity = 10_000
    /// Seconds after which an email that can't be sent is deleted.
    package static let mailKeptSeconds: Int64 = 3 * 24 * 60 * 60
    /// Duration of an email's lease in seconds, longer than ``letterSeconds``.
    package static let mailLeaseSeconds: Int64 = 60
    /// Seconds until the second attempt to send an email, doubled with each further one up to
    /// ``mailRetrySecondsMaximum``.
    package static let mailRetrySeconds: Int64 = 30
    /// The maximum number of seconds between two attempts to send an email.
    package static let mailRetrySecondsMaximum: Int64 = 60 * 60
    /// Seconds between two polls for emails that another process queued or that are due again.
    package static let mailLookSeconds = 5
    /// Time limit of the mail command for one email, in seconds.
    package static let letterSeconds = 30
}
