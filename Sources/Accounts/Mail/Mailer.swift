package import Kernel

/// A rendered mail.
package struct Email: Sendable, Equatable, Codable {
    /// The recipient's address.
    package let to: String
    /// One line.
    package let subject: String
    /// Plain text.
    package let body: String
    /// The language of the text, such as `de`; `nil` for mails that earlier versions queued.
    package let language: String?
    /// The id of the recipient's account; `nil` without one.
    package let account: String?

    package init(to: String, subject: String, body: String, language: String? = nil, account: String? = nil) {
        self.to = to
        self.subject = subject
        self.body = body
        self.language = language
        self.account = account
    }
}

/// A mail that is being sent.
package struct OutgoingMail: Sendable {
    package let email: Email
    /// Identifies the mail, the same for each attempt. Letters, digits and hyphens.
    package let id: String
    /// The time of the attempt.
    package let date: Instant
    /// The base URL of the site, without a slash at the end. Only links to it are links in the HTML part.
    package let siteURL: String

    package init(_ email: Email, id: String, date: Instant, siteURL: String) {
        self.email = email
        self.id = id
        self.date = date
        self.siteURL = siteURL
    }
}

/// Sends mails. Tests replace it to collect them.
package protocol Mailer: Sendable {
    /// Passes one mail on for delivery.
    /// - Returns: the mail server's reply; `nil` for a mailer without one.
    /// - Throws: ``MailFailure`` when delivery isn't possible.
    @discardableResult
    func send(_ mail: OutgoingMail) async throws -> MailReply?
}

/// A mail server's reply to a command, without its text, which can contain the recipient's address.
package struct MailReply: Equatable, Sendable, CustomStringConvertible {
    /// The reply code (RFC 5321, 4.2), such as 550.
    package let code: Int
    /// The enhanced status code (RFC 3463), such as `5.1.1`.
    package let status: String?

    package init(code: Int, status: String? = nil) {
        self.code = code
        self.status = status
    }

    package var description: String { status.map { "\(code) \($0)" } ?? "\(code)" }
}

/// The reason why a mail was not passed on.
package struct MailFailure: Error, Equatable, Sendable {
    package let message: MailMessage
    /// The mail server's reply that caused the failure.
    package let reply: MailReply?

    package init(_ message: MailMessage, reply: MailReply? = nil) {
        self.message = message
        self.reply = reply
    }

    /// The setting contains no command.
    package static let emptyCommand = MailFailure(.commandMissing)
    /// The address or the subject contains a line break or another control character, which could add headers.
    package static let unsafeHeader = MailFailure(.headerUnsafe)
    /// The command ended with a status other than 0.
    package static let refused = MailFailure(.commandFailed)
    /// The command took longer than ``Limits/mailCommandSeconds``.
    package static let timedOut = MailFailure(.commandTimedOut)

    /// Whether every further attempt would fail too.
    package var isFinal: Bool {
        switch message {
        case .headerUnsafe, .addressInternational, .recipientRefused, .contentRefused: true
        case .commandMissing, .commandFailed, .commandTimedOut, .serverUnreachable, .serverTimedOut,
            .certificateUntrusted, .encryptionMissing, .credentialsRefused, .credentialsUnsupported, .senderRefused,
            .refusedForNow, .replyInvalid:
            false
        }
    }

    /// The reason in English with the server's reply code.
    package var reason: String { reply.map { "\(message.text) (\($0))" } ?? message.text }
}
