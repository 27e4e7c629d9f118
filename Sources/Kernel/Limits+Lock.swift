extension Limits {
    /// Digits of a passcode.
    package static let passcodeDigits = 6
    /// Wrong passcodes in a row after which nobody may try for ``passcodeWaitSeconds``.
    package static let passcodeTries = 5
    /// Seconds without any try after too many wrong passcodes.
    package static let passcodeWaitSeconds: Int64 = 10 * 60
    /// Minutes without a request after which a browser's session is locked, as people may choose them.
    package static let lockAfterMinutes = [1, 2, 5, 15, 30, 60]
    /// The same where nobody chose.
    package static let usualLockAfterMinutes = 5
    /// Seconds to within which the time of a locked-able session's last request is known: it locks so much too early,
    /// never too late.
    package static let lockActivitySeconds: Int64 = 10
    /// Seconds between two looks for sessions that nobody uses and that still stand open.
    package static let lockSweepSeconds = 10
    /// Sessions that one look locks at most.
    package static let lockSweepBatch = 500
}
