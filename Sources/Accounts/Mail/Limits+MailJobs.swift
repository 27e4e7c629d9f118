import Kernel

extension Limits {
    /// Bytes of the keyed hash by which a recipient is recognized in a job.
    static let recipientFingerprintBytes = 8
    /// Mails of earlier versions that one transaction moves to the job queue.
    static let movedMailsPerStep = 100

    /// Seconds until a connection to the mail server is open and signed in.
    static let smtpConnectSeconds = 10
    /// Seconds that the mail server may take for a reply.
    static let smtpReplySeconds = 20
    /// Seconds for one mail over SMTP; shorter than ``mailLeaseSeconds``.
    static let smtpSeconds = 30
    /// Bytes of the mail server's replies to one mail.
    static let smtpReplyBytes = 64 * 1024
    /// Bytes of a reply line that are examined: the reply code and the enhanced status code.
    static let smtpReplyStartBytes = 32
    /// Mails that are sent by SMTP at once: one of each lane, and a test mail.
    static let smtpConnections = 3

    /// Days for which the log of mails keeps a row.
    package static let mailLogDays: Int64 = 30
    /// Rows of the log of mails; the oldest are deleted.
    package static let mailLogRows = 10_000
    /// Rows that one transaction deletes from the log of mails.
    static let mailLogRowsPerStep = 500
}
