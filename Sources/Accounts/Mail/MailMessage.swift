import Kernel

/// The reasons why a mail was not passed on, in English. Pages translate a reason by its case. The names of the cases
/// are stored in the log of mails.
package enum MailMessage: String, ErrorMessage {
    case commandMissing = "No mail command is set."
    case commandFailed = "The mail command ended with an error."
    case commandTimedOut = "The mail command took too long."
    /// Characters that could add headers.
    case headerUnsafe = "The address or the subject contains a control character."
    /// The part before the @ contains characters other than ASCII.
    case addressInternational = "Mail servers don’t accept the letters before the @ of this address."
    /// The name isn't found, or the port accepts no connection.
    case serverUnreachable = "The mail server can’t be reached. Check its name and port."
    case serverTimedOut = "The mail server took too long to respond."
    case certificateUntrusted = "The mail server’s certificate isn’t valid for its name."
    /// The server doesn't offer STARTTLS, or the encryption can't be negotiated.
    case encryptionMissing = "The mail server offers no encryption."
    case credentialsRefused = "The mail server refused the user name or the password."
    /// The server doesn't ask for a user name and a password, but they are set.
    case credentialsUnsupported = "The mail server accepts no user name and password on this port."
    case senderRefused = "The mail server refused the sender’s address."
    case recipientRefused = "The mail server refused the recipient’s address."
    case contentRefused = "The mail server refused the mail’s content."
    /// A reply that asks to try again, such as 451.
    case refusedForNow = "The mail server refused the mail for now."
    /// A reply that isn't SMTP, or a connection that the server closed.
    case replyInvalid = "The mail server closed the connection, or its reply was invalid."

    package var text: String { rawValue }

    /// The name in the log of mails.
    var name: String { "\(self)" }

    /// Reads the name in the log of mails; `nil` for an unknown one.
    init?(name: String) {
        guard let message = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = message
    }
}
