/// A rendered mail.
package struct Email: Sendable, Equatable, Codable {
    /// The recipient's address.
    package let to: String
    /// One line.
    package let subject: String
    /// Plain text.
    package let body: String

    package init(to: String, subject: String, body: String) {
        self.to = to
        self.subject = subject
        self.body = body
    }
}

/// Sends mails. Tests replace it to collect them.
package protocol Mailer: Sendable {
    /// Passes one mail on for delivery.
    /// - Throws: ``MailFailure`` when delivery isn't possible.
    func send(to: String, subject: String, body: String) async throws
}

/// The reason why a mail was not passed on.
package enum MailFailure: Error, Equatable, Sendable {
    /// The setting contains no command.
    case emptyCommand
    /// The address or the subject contains a line break or another control character, which could add headers.
    case unsafeHeader
    /// The command ended with a status other than 0.
    case refused
    /// The command took longer than ``Limits/mailCommandSeconds``.
    case timedOut
}
