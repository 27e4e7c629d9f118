extension Limits {
    /// Digits of a passcode.
    package static let passcodeDigits = 6
    /// Wrong passcodes in a row after which every attempt is refused for ``passcodeWaitSeconds``.
    package static let passcodeAttempts = 5
    /// Seconds for which attempts are refused after too many wrong passcodes.
    package static let passcodeWaitSeconds: Int64 = 10 * 60
    /// The choices of minutes without a request after which a browser's session is locked.
    package static let lockAfterMinutes = [1, 2, 5, 15, 30, 60]
    /// The default number of minutes.
    package static let usualLockAfterMinutes = 5
    /// The precision in seconds of the stored time of a lockable session's last request. The session locks earlier by
    /// up to this much, never later.
    package static let lockActivitySeconds: Int64 = 10
    /// Seconds between two scans for idle sessions that are not locked yet.
    package static let lockSweepSeconds = 10
    /// The maximum number of sessions locked in one scan.
    package static let lockSweepBatch = 500
}
