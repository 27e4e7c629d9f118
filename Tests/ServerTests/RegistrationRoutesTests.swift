import Accounts
import AccountsWeb
import Foundation
import HTTPTypes
import HummingbirdTesting
import Kernel
import NIOCore
import Server
import TestSupport
import Testing

@Suite("Sign-up over HTTP")
struct RegistrationRoutesTests {
    private static let form: HTTPFields = {
        var headers = HTTPFields.page
        headers[.contentType] = "application/x-www-form-urlencoded"
        return headers
    }()

    private static let german: HTTPFields = {
        var headers = HTTPFields.page
        headers[.acceptLanguage] = "de"
        return headers
    }()

    private func register(
        _ harness: ServerHarness, _ email: String, more: String = ""
    ) async throws -> TestResponse {
        try await harness.send(
            .post, "/accounts", #"{"email":"\#(email)","password":"correct horse","name":"Mia"\#(more)}"#)
    }

    private func submit(_ harness: ServerHarness, _ fields: String, language: String? = nil) async throws
        -> TestResponse
    {
        var headers = Self.form
        if let language { headers[.acceptLanguage] = language }
        return try await harness.client.executeRequest(
            uri: "/accounts", method: .post, headers: headers, body: .init(string: fields))
    }

    @Test("Closed sign-up: no page offers it and no request creates an account")
    func closed() async throws {
        try await withServer(settings: ["HOMEWARD_REGISTRATION": "closed"]) { harness async throws in
            for path in ["/", "/sign-in", "/family", "/carrepsa", "/sign-in?return=/family/invitations/x"] {
                let page = try await harness.browse(path)
                #expect(page.status == .ok)
                #expect(!page.html.contains("\"/register"), "\(path)")
            }
            let page = try await harness.browse("/register?app=family")
            #expect(page.html.contains(AccountMessage.registrationClosed.text))
            #expect(!page.html.contains("register-form"))
            let german = try await harness.client.executeRequest(
                uri: "/register", method: .get,
                headers: Self.german, body: nil)
            #expect(german.html.contains(AccountMessage.registrationClosed.german))
            let answer = try await register(harness, "mia@example.org")
            #expect(answer.status == .forbidden)
            #expect(try answer.error()["code"] as? String == "forbidden")
            let form = try await submit(
                harness, "name=Mia&email=mia%40example.org&password=correct+horse", language: "de")
            #expect(form.status == .forbidden)
            #expect(form.html.contains(AccountMessage.registrationClosed.german))
            #expect(try await harness.services.accounts.administrators.accounts(after: nil).isEmpty)
        }
    }

    @Test("A household's invitation allows one sign-up, by JSON and by the form")
    func invitation() async throws {
        try await withServer(settings: ["HOMEWARD_REGISTRATION": "invitation"]) { harness async throws in
            let accounts = harness.services.accounts
            _ = try await accounts.administrators.create(
                email: "ada@example.org", name: "Ada", password: "correct horse")
            let signedIn = try await harness.send(
                .post, "/session", #"{"email":"ada@example.org","password":"correct horse"}"#)
            let token = try signedIn.object()["token"] as? String
            let born = try await harness.send(.patch, "/account", #"{"dateOfBirth":"1980-01-01"}"#, token: token)
            #expect(born.status == .ok)
            func invite() async throws -> String {
                let answer = try await harness.send(
                    .post, "/family/invitations", #"{"password":"correct horse"}"#, token: token)
                #expect(answer.status == .created)
                return try answer.object()["code"] as? String ?? ""
            }
            #expect(try await !harness.browse("/sign-in").html.contains("\"/register"))
            #expect(try await harness.browse("/register").html.contains(AccountMessage.invitationNeeded.text))
            #expect(try await register(harness, "ben@example.org").status == .forbidden)
            #expect(try await register(harness, "ben@example.org", more: #","invitation":"x""#).status == .forbidden)

            let code = try await invite()
            let page = try await harness.browse("/family/invitations/\(code)")
            #expect(page.html.contains("/register?app=family"))
            #expect(
                try await register(harness, "ben@example.org", more: #","invitation":"\#(code)""#).status == .created)
            #expect(
                try await register(harness, "eve@example.org", more: #","invitation":"\#(code)""#).status == .forbidden)

            let second = try await invite()
            let path = "%2Ffamily%2Finvitations%2F\(second)"
            let form = try await harness.browse("/register?app=family&return=\(path)")
            #expect(form.html.contains("register-form"))
            let fields = "app=family&name=Kim&dateOfBirth=1982-02-02&password=correct+horse"
            let done = try await submit(harness, "\(fields)&email=kim%40example.org&return=\(path)")
            #expect(done.status == .seeOther)
            #expect(done.headers[.location] == "/family/invitations/\(second)")
            let again = try await submit(harness, "\(fields)&email=lee%40example.org&return=\(path)")
            #expect(again.status == .forbidden)
            #expect(again.html.contains(AccountMessage.invitationInvalid.text))
            #expect(try await accounts.administrators.accounts(after: nil).count == 3)
        }
    }

    @Test("F-01-A: A rejected form keeps what was entered, except the password, and asks for it again")
    func rejectedForm() async throws {
        try await withServer { harness async throws in
            let form = try await submit(
                harness, "app=family&name=Ada&email=ada%40&password=correct+horse&dateOfBirth=1990-05-01")
            #expect(form.status == .unprocessableContent)
            #expect(Reply(form).marked == ["email", "password"])
            #expect(form.html.contains(" name=\"name\" type=\"text\" value=\"Ada\""))
            #expect(form.html.contains(" name=\"password\" type=\"password\" value=\"\""))
            #expect(form.html.contains("id=\"password-error\">Enter your password again.</p>"))
            #expect(!form.html.contains("correct horse"))
            #expect(try await harness.services.accounts.administrators.accounts(after: nil).isEmpty)
        }
    }

    @Test("A network that created too many accounts gets 429 with Retry-After", arguments: Engine.allCases)
    func throttled(engine: Engine) async throws {
        try await withServer(engine, settings: ["HOMEWARD_REGISTRATIONS_PER_HOUR": "2"]) { harness async throws in
            for number in 0..<2 {
                #expect(try await register(harness, "u\(number)@example.org").status == .created)
            }
            let answer = try await register(harness, "late@example.org")
            #expect(answer.status == .tooManyRequests)
            #expect(answer.headers[.retryAfter] == "3600")
            let form = try await submit(harness, "name=Mia&email=late%40example.org&password=correct+horse")
            #expect(form.status == .tooManyRequests)
            #expect(form.headers[.retryAfter] == "3600")
            #expect(form.html.contains(AccountMessage.registrationsThrottled.text))
            #expect(try await harness.services.accounts.administrators.accounts(after: nil).count == 2)
        }
    }

    @Test("With mail, the welcome amount is paid once the link in the mail is opened", arguments: Engine.allCases)
    func welcomeAmount(engine: Engine) async throws {
        let folder = try TemporaryFolder()
        let command = folder.file("sendmail")
        try "#!/bin/sh\ncat > \(folder.file("mail"))\n".write(toFile: command, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: command)
        let settings = ["HOMEWARD_MAIL": command, "HOMEWARD_WELCOME_AMOUNT": "100.00"]
        try await withServer(engine, settings: settings) { harness async throws in
            let answer = try await register(
                harness, "ada@example.org", more: #","app":"carrepsa","phone":"+49301234567""#)
            let token = try answer.object()["token"] as? String
            func balance() async throws -> Int? {
                try await harness.send(.get, "/carrepsa/wallet", token: token).object()["balance"] as? Int
            }
            #expect(try await balance() == 0)
            await harness.services.accounts.mailSender.sendDueMails()
            let mail = try String(contentsOfFile: folder.file("mail"), encoding: .utf8).replacing("\r\n", with: "\n")
            // The first part is the plain text.
            let content = try #require(
                mail.split(separator: "base64\n\n").dropFirst().first?.split(separator: "\n--").first)
            let body = try #require(Data(base64Encoded: String(content), options: .ignoreUnknownCharacters))
            let lines = String(decoding: body, as: UTF8.self).split(whereSeparator: \.isNewline)
            let link = try #require(lines.first { $0.contains("/email-verifications/") })
            let path = "/email-verifications/\(link.split(separator: "/").last ?? "")"
            for status in [HTTPResponse.Status.noContent, .notFound] {
                #expect(try await harness.send(.post, path).status == status)
                #expect(try await balance() == 100_00)
            }
        }
    }
}
