import CCurl
import Kernel
import Testing

@testable import Accounts

@Suite("Sessions with a mail server")
struct SMTPSessionTests {
    /// Returns a session after commands (`> `) and replies (`< `).
    private func session(_ lines: String...) -> SMTPSession {
        var session = SMTPSession()
        for line in lines {
            let bytes = Array("\(line.dropFirst(2))\r\n".utf8)
            if line.hasPrefix("> ") { session.sent(bytes) } else { session.received(bytes) }
        }
        return session
    }

    @Test("The last line of a reply counts, with its enhanced status code")
    func replies() {
        #expect(session("< 250-mail.example", "< 250-STARTTLS", "< 250 SIZE 1000").reply == MailReply(code: 250))
        #expect(session("< 550 5.1.1 No such user").reply == MailReply(code: 550, status: "5.1.1"))
        #expect(session("< 550 4.1.1 Other class").reply == MailReply(code: 550))
        #expect(session("< 451").reply == MailReply(code: 451))
        #expect(session("< hello", "< 2x0 no", "< 25").reply == nil)
        #expect(
            session("> DATA", "< 250 2.0.0 Queued", "> QUIT", "< 221 Bye").reply
                == MailReply(code: 250, status: "2.0.0"))
        #expect("\(MailReply(code: 550, status: "5.1.1"))" == "550 5.1.1")
    }

    @Test("Replies without end are too long")
    func endless() {
        var session = SMTPSession()
        let line = Array("250-x\r\n".utf8)
        for _ in 0..<(Limits.smtpReplyBytes / line.count) { session.received(line) }
        #expect(!session.isTooLong)
        session.received(line)
        #expect(session.isTooLong)
    }

    struct Failure: Sendable, CustomTestStringConvertible {
        let code: CURLcode
        let lines: [String]
        let message: MailMessage
        let isFinal: Bool
        var testDescription: String { "\(code.rawValue) \(lines)" }
    }

    @Test(
        "A failure says whether another attempt can succeed",
        arguments: [
            Failure(code: CURLE_COULDNT_CONNECT, lines: [], message: .serverUnreachable, isFinal: false),
            Failure(code: CURLE_COULDNT_RESOLVE_HOST, lines: [], message: .serverUnreachable, isFinal: false),
            Failure(code: CURLE_OPERATION_TIMEDOUT, lines: ["< 220 x"], message: .serverTimedOut, isFinal: false),
            Failure(
                code: CURLE_PEER_FAILED_VERIFICATION, lines: [], message: .certificateUntrusted, isFinal: false),
            Failure(
                code: CURLE_USE_SSL_FAILED, lines: ["> EHLO x", "< 250 x"], message: .encryptionMissing, isFinal: false),
            Failure(
                code: CURLE_USE_SSL_FAILED, lines: ["> STARTTLS", "< 454 not now"], message: .refusedForNow,
                isFinal: false),
            Failure(
                code: CURLE_LOGIN_DENIED, lines: ["> AUTH PLAIN", "< 535 5.7.8 no"], message: .credentialsRefused,
                isFinal: false),
            Failure(
                code: CURLE_LOGIN_DENIED, lines: ["> AUTH PLAIN", "< 454 4.7.0 later"], message: .refusedForNow,
                isFinal: false),
            Failure(
                code: CURLE_LOGIN_DENIED, lines: ["> EHLO x", "< 250 AUTH X"], message: .credentialsUnsupported,
                isFinal: false),
            Failure(
                code: CURLE_SEND_ERROR, lines: ["> AUTH PLAIN", "< 235 ok", "> MAIL FROM:<a>", "< 553 no"],
                message: .senderRefused, isFinal: false),
            Failure(
                code: CURLE_SEND_ERROR, lines: ["> MAIL FROM:<a>", "< 530 5.7.0 authenticate"],
                message: .credentialsUnsupported, isFinal: false),
            Failure(
                code: CURLE_SEND_ERROR,
                lines: ["> AUTH PLAIN", "< 235 ok", "> RCPT TO:<a>", "< 550 5.1.1 unknown", "> QUIT", "< 221 Bye"],
                message: .recipientRefused, isFinal: true),
            Failure(
                code: CURLE_SEND_ERROR, lines: ["> MAIL FROM:<a>", "< 250 ok", "> RCPT TO:<a>", "< 550 relay"],
                message: .credentialsUnsupported, isFinal: false),
            Failure(
                code: CURLE_SEND_ERROR, lines: ["> AUTH PLAIN", "> RCPT TO:<a>", "< 451 4.7.1 greylisted"],
                message: .refusedForNow, isFinal: false),
            Failure(
                code: CURLE_WEIRD_SERVER_REPLY,
                lines: ["> AUTH PLAIN", "> DATA", "< 354 go on", "< 554 5.7.1 spam"],
                message: .contentRefused, isFinal: true),
            Failure(code: CURLE_WEIRD_SERVER_REPLY, lines: ["< 554 not you"], message: .refusedForNow, isFinal: false),
            Failure(
                code: CURLE_RECV_ERROR, lines: ["> AUTH PLAIN", "> DATA", "< 354 go on"], message: .replyInvalid,
                isFinal: false),
            Failure(code: CURLE_WEIRD_SERVER_REPLY, lines: ["< garbage"], message: .replyInvalid, isFinal: false),
        ])
    func failures(_ failure: Failure) {
        var session = SMTPSession()
        for line in failure.lines {
            let bytes = Array("\(line.dropFirst(2))\r\n".utf8)
            if line.hasPrefix("> ") { session.sent(bytes) } else { session.received(bytes) }
        }
        let found = MailFailure(failure.code, session, hasCredentials: true)
        #expect(found.message == failure.message)
        #expect(found.isFinal == failure.isFinal)
    }

    @Test("A lone word of base64 isn't a command")
    func passwords() {
        #expect(session("> AUTH LOGIN", "< 334 x", "> MAILabcd", "< 535 no").stage == .authentication)
    }

    @Test("The stored names of reasons can be read again")
    func names() {
        for message in MailMessage.allCases { #expect(MailMessage(name: message.name) == message) }
        #expect(MailMessage.recipientRefused.name == "recipientRefused")
        #expect(MailMessage(name: "other") == nil)
    }
}
