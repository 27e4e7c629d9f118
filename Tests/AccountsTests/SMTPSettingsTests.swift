import Testing

@testable import Accounts

@Suite("Settings of a mail server")
struct SMTPSettingsTests {
    @Test(
        "Scheme, port and query decide the encryption",
        arguments: [
            ("smtps://u:p@mail.example", "mail.example", 465, SMTPServer.Encryption.implicit),
            ("SMTPS://u:p@Mail.example:1465/", "mail.example", 1465, .implicit),
            ("smtp://u:p@mail.example", "mail.example", 587, .startTLS),
            ("smtp://127.0.0.1:25?tls=none", "127.0.0.1", 25, .none),
            ("smtp://u:p@localhost?tls=none", "localhost", 587, .none),
            ("smtp://[::1]:2525?tls=none", "[::1]", 2525, .none),
            ("smtps://192.168.1.2", "192.168.1.2", 465, .implicit),
        ])
    func encryption(url: String, host: String, port: Int, encryption: SMTPServer.Encryption) throws {
        let server = try SMTPServer(url: url)
        #expect(server.host == host && server.port == port && server.encryption == encryption)
        #expect((server.credentials == nil) == !url.contains("@"))
    }

    @Test("User name and password are percent-decoded, and no description contains them")
    func credentials() throws {
        let server = try SMTPServer(url: "smtps://ada%40example.org:p%2Fa%3As%25s%20%C3%BC@mail.example")
        #expect(server.credentials?.user == "ada@example.org")
        #expect(server.credentials?.password == "p/a:s%s ü")
        let settings = try SMTPSettings(
            server: server, sender: nil, authoritiesFile: nil, siteURL: "https://home.example")
        var dumped = ""
        dump(settings, to: &dumped)
        for text in ["\(settings)", "\(server)", String(reflecting: settings), dumped] {
            #expect(!text.contains("ada") && !text.contains("p/a"), "\(text)")
        }
    }

    @Test(
        "Unusable URLs are rejected, with a problem that contains nothing of them",
        arguments: [
            ("https://u:secret@mail.example", SMTPSettingsProblem.url), ("mail.example", .url), ("", .url),
            ("smtps://u:secret@", .url), ("smtps://u:secret@mail.example/path", .url),
            ("smtps://u:secret@mail.example#x", .url), ("smtps://u:secret@mail.example:0", .url),
            ("smtps://u:secret@mail.example:70000", .url), ("smtps://u:secret@mail example", .url),
            ("smtps://u:sec%ret@mail.example", .url), ("smtps://u:secret%0d%0aRCPT@mail.example", .url),
            ("smtps://u:secret%00@mail.example", .url), ("smtps://u:%ff@mail.example", .url),
            ("smtps://u:@mail.example", .url), ("smtps://u@mail.example", .password),
            ("smtps://:secret@mail.example", .url), ("smtps://u:secret@mail.example?tls=none", .query),
            ("smtp://u:secret@mail.example?tls=maybe", .query), ("smtp://u:secret@mail.example?tls=none", .unencrypted),
            ("smtp://u:secret@127.0.0.1.evil.example?tls=none", .unencrypted),
            ("smtp://u:secret@localhost.example?tls=none", .unencrypted),
        ])
    func rejected(url: String, problem: SMTPSettingsProblem) {
        let error = #expect(throws: SMTPSettingsProblem.self) { try SMTPServer(url: url) }
        #expect(error == problem)
        #expect(!"\(error ?? .url)".contains("secret"))
    }

    @Test("The sender is an ASCII address; by default, one at the site's host")
    func sender() throws {
        let server = try SMTPServer(url: "smtps://mail.example")
        func settings(_ sender: String?, _ site: String) throws -> SMTPSettings {
            try SMTPSettings(server: server, sender: sender, authoritiesFile: nil, siteURL: site)
        }
        #expect(try settings(nil, "https://home.example:8443").sender == "homeward@home.example")
        #expect(try settings(nil, "https://home.example").clientName == "home.example")
        #expect(try settings(nil, "http://127.0.0.1:8080").sender == "homeward@localhost")
        #expect(try settings(nil, "http://[::1]:8080").clientName == "localhost")
        #expect(try settings("Mail@Example.org", "https://home.example").sender == "Mail@Example.org")
        for wrong in ["nothing", "Homeward <a@example.org>", "a@example.org\nBcc: b@example.org", "jürgen@example.org"]
        {
            #expect(throws: SMTPSettingsProblem.sender) { try settings(wrong, "https://home.example") }
        }
    }

    @Test("Domains become ASCII; a local part that isn't ASCII is refused for good")
    func addresses() throws {
        #expect(try SMTPAddress.ascii("mia@example.org") == "mia@example.org")
        #expect(try SMTPAddress.ascii("mia@bücher.example") == "mia@xn--bcher-kva.example")
        let failure = #expect(throws: MailFailure.self) { try SMTPAddress.ascii("jürgen@example.org") }
        #expect(failure == MailFailure(.addressInternational) && failure?.isFinal == true)
        #expect(throws: MailFailure.unsafeHeader) { try SMTPAddress.ascii("mia@example.org\r\nBcc: x@example.org") }
    }
}
