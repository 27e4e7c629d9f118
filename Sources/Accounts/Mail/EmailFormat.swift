import Foundation
import Kernel

/// The message format of mails (RFC 5322, RFC 2045, RFC 2046, RFC 2047): one text in two forms, plain and HTML.
struct EmailFormat {
    private static let lineBytes = 76
    /// A line with encoded words has 76 characters. `Subject: =?UTF-8?B?` and `?=` take 21 of them, so 52 remain for
    /// base64.
    private static let wordBytes = 39
    /// RFC 5322, 2.1.1.
    private static let longestLineBytes = 998

    private let mail: OutgoingMail
    private let sender: String?
    private let recipient: String

    /// Creates a message.
    /// - Parameters:
    ///   - sender: the sender's address; `nil` if the program that passes the mail on adds it.
    ///   - recipient: the recipient's address in the form of the header.
    /// - Throws: ``MailFailure/unsafeHeader``.
    init(_ mail: OutgoingMail, from sender: String? = nil, to recipient: String) throws(MailFailure) {
        guard Self.isOneLine(recipient), Self.isOneLine(mail.email.subject),
            !recipient.contains(where: { $0 == "," || $0 == "<" || $0 == ">" })
        else { throw .unsafeHeader }
        self.mail = mail
        self.sender = sender
        self.recipient = recipient
    }

    /// Returns the message.
    /// - Parameter lineEnd: a line feed for programs, CR LF for mail servers.
    func message(lineEnd: String) -> [UInt8] {
        let boundary = "homeward-\(mail.id)"
        let host = URLComponents(string: mail.siteURL)?.encodedHost ?? "localhost"
        var lines = sender.map { ["From: Homeward <\($0)>"] } ?? []
        lines += [
            "To: \(recipient)", "Subject: \(Self.encodedWords(mail.email.subject))", "Date: \(Self.date(mail.date))",
            "Message-ID: <\(mail.id)@\(host)>", "Auto-Submitted: auto-generated", "MIME-Version: 1.0",
            "Content-Type: multipart/alternative;", " boundary=\"\(boundary)\"", "", "--\(boundary)",
        ]
        // The last part is the one that a reader prefers (RFC 2046, 5.1.4).
        lines += Self.part("plain", mail.email.body) + ["--\(boundary)"]
        lines += Self.part("html", EmailHTML.page(mail.email, siteURL: mail.siteURL)) + ["--\(boundary)--", ""]
        let text = lines.joined(separator: "\n")
        return Array((lineEnd == "\n" ? text : text.replacing("\n", with: lineEnd)).utf8)
    }

    private static func part(_ type: String, _ content: String) -> [String] {
        let isPlain = needsNoEncoding(content)
        let headers = [
            "Content-Type: text/\(type); charset=utf-8", "Content-Transfer-Encoding: \(isPlain ? "7bit" : "base64")",
            "",
        ]
        if isPlain { return headers + [content] }
        let text = Data(content.replacing("\r\n", with: "\n").replacing("\n", with: "\r\n").utf8)
        return headers + wrapped(text.base64EncodedString())
    }

    // ASCII in lines of the allowed length needs no encoding, and is readable in any log or queue.
    private static func needsNoEncoding(_ content: String) -> Bool {
        content.utf8.allSatisfy { $0 == 0x0a || (0x20..<0x7f).contains($0) }
            && content.utf8.split(separator: 0x0a).allSatisfy { $0.count <= longestLineBytes }
    }

    private static func isOneLine(_ text: String) -> Bool {
        !text.isEmpty
            && text.unicodeScalars.allSatisfy { scalar in
                switch scalar.properties.generalCategory {
                case .control, .lineSeparator, .paragraphSeparator: false
                default: true
                }
            }
    }

    /// Returns the time as RFC 5322 has it, in UTC.
    private static func date(_ instant: Instant) -> String {
        let format = DateFormatter()
        format.locale = Locale(identifier: "en_US_POSIX")
        format.timeZone = TimeZone(secondsFromGMT: 0)
        format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss '+0000'"
        return format.string(from: instant.date)
    }

    private static func encodedWords(_ text: String) -> String {
        guard !text.utf8.allSatisfy({ (0x20..<0x7f).contains($0) }) || text.utf8.count > lineBytes else { return text }
        var words: [String] = []
        var word: [UInt8] = []
        for character in text {
            let bytes = Array(String(character).utf8)
            if word.count + bytes.count > wordBytes, !word.isEmpty {
                words.append(encodedWord(word))
                word = []
            }
            word += bytes
        }
        words.append(encodedWord(word))
        return words.joined(separator: "\n ")
    }

    private static func encodedWord(_ bytes: [UInt8]) -> String { "=?UTF-8?B?\(Data(bytes).base64EncodedString())?=" }

    private static func wrapped(_ text: String) -> [String] {
        var lines: [String] = []
        var rest = text[...]
        while !rest.isEmpty {
            lines.append(String(rest.prefix(lineBytes)))
            rest = rest.dropFirst(lineBytes)
        }
        return lines
    }
}
