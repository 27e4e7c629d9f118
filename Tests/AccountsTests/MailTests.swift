import Foundation
import Kernel
import TestSupport
import Testing

@testable import Accounts

extension OutgoingMail {
    /// A mail of the site `https://home.example`.
    init(to: String, subject: String = "x", body: String = "x", language: String? = nil) {
        self.init(
            Email(to: to, subject: subject, body: body, language: language), id: "0199-a",
            date: Instant(millisecondsSince1970: 784_111_777_000), siteURL: "https://home.example")
    }
}

@Suite("Mail")
struct MailTests {
    /// A mailer with a script in place of the mail command.
    private func mailer(_ folder: TemporaryFolder, script: String, timeoutSeconds: Int = 20) throws -> SendmailMailer {
        let file = folder.file("sendmail")
        try "#!/bin/sh\n\(script)\n".write(toFile: file, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: file)
        return try SendmailMailer(command: "\(file) -t", timeoutSeconds: timeoutSeconds)
    }

    @Test("A mail is passed to the command with valid headers and an encoded body")
    func send() async throws {
        let folder = try TemporaryFolder()
        let mailer = try mailer(folder, script: "echo \"$@\" > \(folder.path)/arguments; cat > \(folder.path)/mail")
        let subject = "Bestätige deine E-Mail-Adresse: " + String(repeating: "Wörter ", count: 20) + "Ende"
        let body = "Grüße\n.\n" + String(repeating: "lange Zeile ", count: 50)
        try await mailer.send(OutgoingMail(to: "jürgen@example.org", subject: subject, body: body))
        #expect(try String(contentsOfFile: folder.file("arguments"), encoding: .utf8) == "-t -i\n")
        let script = """
            import email, email.policy, sys
            message = email.message_from_binary_file(open(sys.argv[1], "rb"), policy=email.policy.default)
            assert message["Subject"] == sys.argv[2], message["Subject"]
            assert message.get_content_type() == "multipart/alternative"
            text, html = [part.get_content().replace("\\r\\n", "\\n") for part in message.iter_parts()]
            assert text == sys.argv[3], text
            assert "Grüße" in html and html.startswith("<!DOCTYPE html>"), html
            assert message["To"] is not None and message["Auto-Submitted"] == "auto-generated"
            assert message["Message-ID"] == "<0199-a@home.example>", message["Message-ID"]
            assert message["Date"] == "Sun, 06 Nov 1994 08:49:37 +0000", message["Date"]
            assert all(len(line) <= 78 for line in open(sys.argv[1], "rb").read().split(b"\\n"))
            """
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["python3", "-c", script, folder.file("mail"), subject, body]
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
    }

    @Test("Plain ASCII isn't encoded, unless a line is too long for mail servers")
    func plainText() async throws {
        let folder = try TemporaryFolder()
        let mailer = try mailer(folder, script: "cat > \(folder.path)/mail")
        let body = "Hello Mia,\n\nhttps://home.example/password-resets/abc\n"
        try await mailer.send(OutgoingMail(to: "mia@example.org", subject: "A new password", body: body))
        let mail = try String(contentsOfFile: folder.file("mail"), encoding: .utf8)
        #expect(mail.contains("Content-Transfer-Encoding: 7bit\n\n\(body)\n--homeward-0199-a\n"))
        #expect(!mail.contains("base64"))
        try await mailer.send(
            OutgoingMail(to: "mia@example.org", subject: "Long", body: String(repeating: "x", count: 999)))
        let long = try String(contentsOfFile: folder.file("mail"), encoding: .utf8)
        #expect(long.contains("Content-Transfer-Encoding: base64\n"))
    }

    @Test(
        "Input can't add headers or recipients",
        arguments: [
            ("mia@example.org\nBcc: x@example.org", "Hello"), ("mia@example.org\r", "Hello"),
            ("mia@example.org", "Hello\nBcc: x@y.org"),
            ("mia@example.org", "Hello\u{2028}x"), ("mia@example.org, ben@example.org", "Hello"), ("", "Hello"),
            ("mia@example.org", ""),
        ])
    func injection(to: String, subject: String) async throws {
        let folder = try TemporaryFolder()
        let mailer = try mailer(folder, script: "touch \(folder.path)/called")
        await #expect(throws: MailFailure.unsafeHeader) {
            try await mailer.send(OutgoingMail(to: to, subject: subject))
        }
        #expect(!FileManager.default.fileExists(atPath: folder.file("called")))
    }

    @Test("A command that fails or hangs is reported as an error")
    func failures() async throws {
        let folder = try TemporaryFolder()
        let failing = try mailer(folder, script: "cat > /dev/null; exit 75")
        await #expect(throws: MailFailure.refused) { try await failing.send(OutgoingMail(to: "a@b.org")) }
        let deaf = try mailer(folder, script: "exit 75")
        let long = String(repeating: "more than a pipe takes in ", count: 20_000)
        await #expect(throws: MailFailure.refused) { try await deaf.send(OutgoingMail(to: "a@b.org", body: long)) }
        let hanging = try mailer(folder, script: "exec sleep 600", timeoutSeconds: 1)
        await #expect(throws: MailFailure.timedOut) { try await hanging.send(OutgoingMail(to: "a@b.org")) }
        #expect(throws: MailFailure.emptyCommand) { try SendmailMailer(command: "  ") }
    }
}
