package import Jobs
package import Kernel

/// A row of the log of mails: the latest result of one mail, without its contents.
package struct MailLogEntry: Sendable, Equatable {
    /// The result of an attempt.
    package enum Result: String, Sendable {
        /// The mail server or the command accepted the mail.
        case sent
        /// The mail is sent again later.
        case retried
        /// No further attempt is made.
        case failed
    }

    /// The mail's job; for a test mail, an id of its own.
    package let id: ID<NewJob>
    /// The time of the latest attempt.
    package let updatedAt: Instant
    /// The recipient's address.
    package let recipient: String
    /// The kind of mail, such as `verification`.
    package let kind: String
    package let lane: MailLane
    package let result: Result
    /// Why the mail wasn't accepted; `nil` for a mail that was.
    package let message: MailMessage?
    /// The mail server's reply; `nil` without one.
    package let reply: MailReply?
    /// The number of attempts.
    package let attempts: Int
}

/// The position in the log of mails after an entry.
struct MailLogCursor: Sendable, CustomStringConvertible {
    let updatedAt: Instant
    let id: ID<NewJob>

    init(_ entry: MailLogEntry) {
        updatedAt = entry.updatedAt
        id = entry.id
    }

    /// Reads ``description``.
    init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let milliseconds = Int64(parts[0]), let id = ID<NewJob>(parts[1]) else { return nil }
        updatedAt = Instant(millisecondsSince1970: milliseconds)
        self.id = id
    }

    var description: String { "\(updatedAt.millisecondsSince1970).\(id)" }
}
