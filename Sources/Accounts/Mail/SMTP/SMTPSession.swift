import Kernel

/// The course of one SMTP session: the command that was sent last, and the server's replies.
struct SMTPSession: Sendable {
    /// The last command that matters for the meaning of a reply.
    enum Stage: Sendable {
        /// Before the first command.
        case greeting
        case hello
        case encryption
        case authentication
        case sender
        case recipient
        case content
    }

    private(set) var stage = Stage.greeting
    /// Whether the client sent its user name and password.
    private(set) var hasAuthenticated = false
    /// The last complete reply before the client ended the session.
    private(set) var reply: MailReply?
    private var hasEnded = false
    private var replyBytes = 0

    /// Whether the replies are longer than those of a mail server.
    var isTooLong: Bool { replyBytes > Limits.smtpReplyBytes }

    /// Notes a line that the client sent. It can contain the password, so only its first word is read.
    mutating func sent(_ line: some Collection<UInt8>) {
        // The longest word, and the character after it.
        let start = String(decoding: line.prefix(9), as: UTF8.self).uppercased()
        let stages: [(command: String, stage: Stage)] = [
            ("EHLO ", .hello), ("HELO ", .hello), ("STARTTLS\r", .encryption), ("AUTH ", .authentication),
            ("MAIL ", .sender), ("RCPT ", .recipient), ("DATA\r", .content),
        ]
        if start.utf8.starts(with: "QUIT\r".utf8) { hasEnded = true }
        // By bytes: CR LF is one character.
        guard let next = stages.first(where: { start.utf8.starts(with: $0.command.utf8) })?.stage else { return }
        stage = next
        if next == .authentication { hasAuthenticated = true }
    }

    /// Notes a line that the server sent. Only the last line of a reply counts (RFC 5321, 4.2.1).
    mutating func received(_ line: some Collection<UInt8>) {
        replyBytes += line.count
        let start = Array(line.prefix(Limits.smtpReplyStartBytes))
        let digits = start.prefix(3)
        guard digits.count == 3, digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            start.count == 3 || start[3] != UInt8(ascii: "-"), !hasEnded
        else { return }
        let code = digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
        let words = String(decoding: start.dropFirst(4), as: UTF8.self).split(whereSeparator: \.isWhitespace)
        reply = MailReply(code: code, status: words.first.flatMap { Self.status($0, of: code) })
    }

    /// Returns an enhanced status code if the word is one of the reply's class.
    private static func status(_ word: Substring, of code: Int) -> String? {
        let parts = word.split(separator: ".", omittingEmptySubsequences: false).map { part in
            part.utf8.count <= 3 && part.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(part) : nil
        }
        guard parts.count == 3, parts.allSatisfy({ $0 != nil }), parts[0] == code / 100 else { return nil }
        return String(word)
    }
}
