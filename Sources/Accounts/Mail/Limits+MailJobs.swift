import Kernel

extension Limits {
    /// Bytes of the keyed hash by which a recipient is recognized in a job.
    static let recipientFingerprintBytes = 8
    /// Mails of earlier versions that one transaction moves to the job queue.
    static let movedMailsPerStep = 100
}
