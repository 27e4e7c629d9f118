/// A mail, ready to be sent.
package struct Letter: Sendable, Equatable, Codable {
    /// The address.
    package let to: String
    /// One line.
    package let subject: String
    /// Plain text.
    package let body: String

    /// Makes a letter.
    package init(to: String, subject: String, body: String) {
        self.to = to
        self.subject = subject
        self.body = body
    }
}

/// Sends mails. A seam: tests collect what would be sent.
package protocol Mailer: Sendable {
    /// Hands one mail over to be delivered.
    /// - Throws: ``MailFailure`` when it can't be.
    func send(to: String, subject: String, body: String) async throws
}

/// Why a mail was not handed over.
package enum MailFailure: Error, Equatable, Sendable {
    /// The setting names no command.
    case emptyCommand
    /// The address or the subject has a line break or another control character: it could add headers.
    case unsafeHeader
    /// The command ended with another status than 0.
    case refused
    /// The command took longer than ``Limits/letterSeconds``.
    case timedOut
}
