import Accounts
import Foundation
import HTTPTypes
import Server
import TestSupport
import Testing

/// Mails to the recipient of a package, who has no account.
@Suite("Carrepsa: mails to recipients")
struct CarrepsaRecipientMailTests {
    /// Mails received since the last call.
    private struct Mails {
        /// The headers of the first mail.
        let headers: String
        /// The decoded parts of all mails.
        let texts: [String]

        init(_ content: String) throws {
            let parts = content.components(separatedBy: "base64\n\n")
            headers = parts.first ?? ""
            texts = try parts.dropFirst().map { part -> String in
                let lines = part.components(separatedBy: "\n--").first ?? ""
                let text = try #require(Data(base64Encoded: lines, options: .ignoreUnknownCharacters))
                return String(decoding: text, as: UTF8.self)
            }
        }
    }

    /// Sends the due mails with a command that adds them to a file of the folder, and empties the file.
    private static func sent(_ harness: ServerHarness, _ folder: TemporaryFolder) async throws -> Mails {
        await harness.services.accounts.mailSender.sendDueMails()
        let file = folder.file("mails")
        let content = try String(contentsOfFile: file, encoding: .utf8)
        try FileManager.default.removeItem(atPath: file)
        return try Mails(content)
    }

    @Test("C-20: Each mail leads the recipient to their page, and contains neither the title nor the owner's name")
    func links() async throws {
        let folder = try TemporaryFolder()
        let command = folder.file("sendmail")
        try "#!/bin/sh\ncat >> \(folder.file("mails"))\n".write(toFile: command, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: command)
        try await withServer(settings: ["HOMEWARD_MAIL": command]) { harness async throws in
            let site = CarrepsaTestServer(server: harness)
            let (ada, ben) = (try await site.person("Ada"), try await site.person("Ben"))
            for person in [ada, ben] { try await person.topUp(100_00) }
            // The mails about the new accounts.
            _ = try await Self.sent(harness, folder)

            /// Returns the path in the only mail that is due.
            func link(_ subject: String) async throws -> String {
                let mails = try await Self.sent(harness, folder)
                #expect(mails.headers.hasPrefix("To: mia@example.org\nSubject: \(subject)\n"), "\(mails.headers)")
                #expect(mails.texts.count == 2, "plain text and HTML")
                let plain = try #require(mails.texts.first)
                let path = String(try #require(plain.firstMatch(of: #/\/deliveries\/[A-Za-z0-9_-]+/#)).output)
                for text in mails.texts {
                    let others = text.replacing(path, with: "")
                    #expect(!others.contains("evil") && !others.contains("Ada"), "\(text)")
                }
                return path
            }

            let package = try await ada.offer("https://evil.example")
            let named = try await ada.send(
                .put, package + "/recipient", json: ["name": "Mia", "contact": "mia@example.org"])
            #expect(named.status == 200, "\(named.text)")
            let page = try await link("A package for you")
            let shown = try await site.signedOut.page(page)
            #expect(shown.status == 200)
            #expect(shown.text.contains("We’re still looking for a carrier."))
            #expect(try await ben.send(.post, package + "/acceptance").status == 201)
            #expect(try await link("A package for you") == page)
            #expect(try await ada.send(.post, package + "/pickup").status == 201)
            #expect(try await link("Your package is on its way") == page)
            #expect(try await ada.send(.post, package + "/delivery").status == 201)
            #expect(try await link("Your package has arrived") == page)
        }
    }
}
