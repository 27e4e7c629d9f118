import Accounts
import Foundation
import HTTPTypes
import HummingbirdTesting
import Kernel
import NIOCore
import Server
import Storage
import TestSupport
import Testing
import WebCore

@Suite("Set-up and invitations over HTTP")
struct SetupRoutesTests {
    /// A server on which administrators choose who can register.
    private static let unset = ["HOMEWARD_REGISTRATION": ""]

    private func setUp(
        _ harness: ServerHarness, code: String, registration: String? = "closed", email: String = "mia@example.org"
    ) async throws -> TestResponse {
        let choice = registration.map { #","registration":"\#($0)""# } ?? ""
        return try await harness.send(
            .post, "/setup",
            #"{"code":"\#(code)","email":"\#(email)","password":"correct horse","name":"Mia"\#(choice)}"#)
    }

    private func register(
        _ harness: ServerHarness, _ email: String, invitation: String? = nil, app: String = "tracking"
    ) async throws -> TestResponse {
        let more = invitation.map { #","invitation":"\#($0)""# } ?? ""
        return try await harness.send(
            .post, "/accounts",
            #"""
            {"email":"\#(email)","password":"correct horse","name":"Ben","app":"\#(app)","phone":"+4915123456789",
            "dateOfBirth":"1990-05-01"\#(more)}
            """#)
    }

    @Test("Pages of a new server lead to its set-up, and no account can be created", arguments: Engine.allCases)
    func newServer(engine: Engine) async throws {
        try await withServer(engine, settings: Self.unset) { harness async throws in
            for path in ["/", "/sign-in", "/register", "/family", "/carrepsa", "/tracking/items", "/no-such-page"] {
                let page = try await harness.browse(path)
                #expect(page.status == .seeOther)
                #expect(page.headers[.location] == "/setup", "\(path)")
            }
            let page = try await harness.browse("/setup")
            #expect(page.status == .ok)
            for app in ["tracking", "family", "carrepsa"] {
                let answer = try await register(harness, "ben@example.org", app: app)
                #expect(answer.status == .forbidden)
                #expect(answer.html.contains(AccountMessage.setUpRequired.text))
            }
            #expect(try await harness.send(.get, "/tracking/items").status == .unauthorized)
        }
    }

    @Test("The code creates one administrator, and the set-up is over", arguments: Engine.allCases)
    func setup(engine: Engine) async throws {
        try await withServer(engine, settings: Self.unset) { harness async throws in
            let code = try #require(try await harness.services.accounts.setup.codeForLog())
            let typed = code.lowercased().replacing("-", with: " ")
            let done = try await setUp(harness, code: typed)
            #expect(done.status == .created, "\(done.html)")
            let token = try #require(try done.object()["token"] as? String)
            let overview = try await harness.send(.get, "/admin", token: token).object()
            #expect(overview["registration"] as? String == "closed")
            #expect(try await setUp(harness, code: code, email: "eve@example.org").status == .notFound)
            #expect(try await harness.browse("/setup").headers[.location] == "/")
            #expect(try await harness.browse("/").status == .ok)
            #expect(try await harness.services.accounts.setup.codeForLog() == nil)
            await #expect(throws: AppError.self) { try await harness.services.accounts.setup.createCode() }
        }
    }

    @Test("A wrong code, a missing choice and invalid fields change nothing, and wrong codes are throttled")
    func wrong() async throws {
        try await withServer(settings: Self.unset) { harness async throws in
            let code = try await harness.services.accounts.setup.createCode()
            #expect(try await setUp(harness, code: code, registration: nil).errorFields() == ["registration"])
            #expect(try await setUp(harness, code: code, email: "mia").errorFields() == ["email"])
            #expect(try await setUp(harness, code: " ").errorFields() == ["code"])
            for _ in 0..<Limits.setupCodeFailures {
                #expect(try await setUp(harness, code: "0000-0000-0000-0000").errorFields() == ["code"])
            }
            #expect(try await setUp(harness, code: code).status == .tooManyRequests)
            harness.clock.advance(seconds: Limits.throttleSeconds + 1)
            #expect(try await setUp(harness, code: code).status == .created)
        }
    }

    @Test("The form marks all invalid fields at once and keeps what was typed, except the password")
    func marks() async throws {
        try await withServer(settings: Self.unset) { harness async throws in
            let code = try await harness.services.accounts.setup.createCode()
            let wrong = #"{"code":"\#(code)","email":"mia","password":"short","name":"","registration":"all"}"#
            let answer = try await harness.send(.post, "/setup", wrong)
            #expect(Set(try answer.errorFields()) == ["email", "password", "name", "registration"])
            var headers = HTTPFields.page
            headers[.contentType] = "application/x-www-form-urlencoded"
            let page = try await harness.client.executeRequest(
                uri: "/setup", method: .post, headers: headers,
                body: .init(string: "code=\(code)&email=mia&password=short&name="))
            #expect(page.status == .unprocessableContent)
            for field in ["email", "password", "name"] {
                #expect(page.html.contains(#"id="\#(field)-error">"#), "\(field)")
            }
            #expect(page.html.contains(AccountMessage.registrationMissing.text))
            #expect(page.html.contains(#"value="\#(code)""#))
            #expect(!page.html.contains("short"))
        }
    }

    @Test("H-02: A wrong code is refused at its field, keeps what was typed, and creates nothing")
    func wrongCode() async throws {
        try await withServer(settings: Self.unset) { harness async throws in
            let browser = FamilyTestServer(server: harness).signedOut
            let refused = try await browser.submit(
                "/setup",
                [
                    "code": "0000-0000-0000-0000", "name": "Mia", "email": "mia@example.org",
                    "password": "correct horse", "registration": "open",
                ])
            #expect(refused.status == 422)
            #expect(refused.text.contains(#"id="code-error">This code isn’t valid."#))
            // The password has to be typed again.
            #expect(refused.marked == ["code", "password"])
            #expect(refused.text.contains(#"value="0000-0000-0000-0000""#) && refused.text.contains(#"value="Mia""#))
            #expect(refused.text.contains(#"value="open" checked"#))
            #expect(!refused.text.contains("correct horse"))
            #expect(try await harness.services.database.count("account") == 0)
            let signIn = try await harness.send(
                .post, "/session", #"{"email":"mia@example.org","password":"correct horse"}"#)
            #expect(signIn.status == .unauthorized)
            let code = try await harness.services.accounts.setup.createCode()
            let done = try await browser.submit(
                "/setup",
                [
                    "code": code.lowercased(), "name": "Mia", "email": "mia@example.org",
                    "password": "correct horse", "registration": "open",
                ])
            #expect(done.status == 303 && done.header("location") == "/admin")
            #expect(try await browser.page("/setup").header("location") == "/")
        }
    }

    @Test("H-04: The registration form takes effect at once")
    func choice() async throws {
        try await withServer(settings: Self.unset) { harness async throws in
            let families = FamilyTestServer(server: harness)
            let code = try await harness.services.accounts.setup.createCode()
            #expect(try await setUp(harness, code: code).status == .created)
            let signedIn = try await families.signedOut.submit(
                "/session", ["email": "mia@example.org", "password": "correct horse"])
            let cookie: String = try #require(signedIn.header("set-cookie"))
            let mia = FamilyTestClient(
                site: families, name: "Mia", id: "", token: nil, cookie: String(cookie.prefix { $0 != ";" }))
            #expect(try await !families.signedOut.page("/").text.contains("/register"))
            let closed = try await families.signedOut.page("/register").text
            #expect(closed.contains("Registration is closed on this server.") && !closed.contains(#"id="password""#))
            let settings = try await mia.page("/admin/registration").text
            for choice in ["open", "invitation", "closed"] {
                #expect(settings.contains(#"name="registration" value="\#(choice)""#), "\(choice)")
            }
            let saved = try await mia.submit(
                "/admin/registration?_method=put", ["idempotencyKey": "", "registration": "open"])
            #expect(saved.status == 303 && saved.header("location") == "/admin")
            #expect(try saved.toast() == "Saved")
            #expect(try await families.signedOut.page("/").text.contains("/register"))
            #expect(try await families.signedOut.page("/register").text.contains(#"id="name""#))
        }
    }

    @Test("Of concurrent set-ups with one code, one succeeds", arguments: Engine.allCases)
    func race(engine: Engine) async throws {
        try await withServer(engine, settings: Self.unset) { harness async throws in
            let code = try await harness.services.accounts.setup.createCode()
            let statuses = try await withThrowingTaskGroup(of: HTTPResponse.Status.self) { group in
                for number in 0..<8 {
                    group.addTask {
                        try await setUp(harness, code: code, email: "mia\(number)@example.org").status
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(statuses.filter { $0 == .created }.count == 1, "\(statuses)")
        }
    }

    @Test("H-04: HOMEWARD_REGISTRATION wins over the set-up and over administrators")
    func fixed() async throws {
        try await withServer(settings: ["HOMEWARD_REGISTRATION": "invitation"]) { harness async throws in
            #expect(try await harness.browse("/").status == .ok)
            let code = try await harness.services.accounts.setup.createCode()
            let done = try await setUp(harness, code: code, registration: "open")
            let token = try #require(try done.object()["token"] as? String)
            let settings = try await harness.send(.get, "/admin/registration", token: token).object()
            #expect(settings["registration"] as? String == "invitation")
            #expect(settings["fixed"] as? Bool == true)
            let change = try await harness.send(
                .put, "/admin/registration", #"{"registration":"open"}"#, token: token)
            #expect(change.status == .conflict)
            #expect(try await register(harness, "ben@example.org").status == .forbidden)
        }
    }

    @Test("H-04: A changed choice takes effect at once", arguments: Engine.allCases)
    func change(engine: Engine) async throws {
        try await withServer(engine, settings: Self.unset) { harness async throws in
            let code = try await harness.services.accounts.setup.createCode()
            let token = try #require(try await setUp(harness, code: code).object()["token"] as? String)
            #expect(try await register(harness, "ben@example.org").status == .forbidden)
            #expect(try await !harness.browse("/").html.contains("/register"))
            let change = try await harness.send(
                .put, "/admin/registration", #"{"registration":"open"}"#, token: token)
            #expect(change.status == .ok)
            #expect(try await harness.browse("/").html.contains("/register"))
            #expect(try await register(harness, "ben@example.org").status == .created)
            let wrong = try await harness.send(
                .put, "/admin/registration", #"{"registration":"all"}"#, token: token)
            #expect(try wrong.errorFields() == ["registration"])
        }
    }

    @Test(
        "With closed registration, an administrator's invitation is valid for one account",
        arguments: Engine.allCases, ["closed", "invitation"])
    func invitation(engine: Engine, registration: String) async throws {
        try await withServer(engine, settings: Self.unset) { harness async throws in
            let code = try await harness.services.accounts.setup.createCode()
            let token = try #require(
                try await setUp(harness, code: code, registration: registration).object()["token"] as? String)
            func invite() async throws -> (id: String, code: String, url: String) {
                let made = try await harness.send(.post, "/admin/invitations", "{}", token: token)
                #expect(made.status == .created)
                let object = try made.object()
                return (
                    try #require(object["id"] as? String), try #require(object["code"] as? String),
                    try #require(object["url"] as? String)
                )
            }
            let first = try await invite()
            let page = try await harness.browse("/invitations/\(first.code)")
            #expect(page.html.contains("register-form"))
            #expect(first.url.hasSuffix("/invitations/\(first.code)"))
            #expect(try await register(harness, "ben@example.org", invitation: first.code).status == .created)
            #expect(try await register(harness, "eve@example.org", invitation: first.code).status == .forbidden)
            #expect(try await harness.browse("/invitations/\(first.code)").status == .notFound)
            let revoked = try await invite()
            let gone = try await harness.send(.delete, "/admin/invitations/\(revoked.id)", token: token)
            #expect(gone.status == .noContent)
            #expect(try await register(harness, "eve@example.org", invitation: revoked.code).status == .forbidden)
            let expired = try await invite()
            harness.clock.advance(seconds: Limits.serverInvitationSeconds)
            #expect(try await register(harness, "eve@example.org", invitation: expired.code).status == .forbidden)
            let mailed = try await harness.send(
                .post, "/admin/invitations", #"{"email":"eve@example.org"}"#, token: token)
            #expect(try mailed.errorFields() == ["email"])
        }
    }

    @Test("Of concurrent registrations with one invitation, one succeeds", arguments: Engine.allCases)
    func invitationRace(engine: Engine) async throws {
        try await withServer(engine, settings: Self.unset) { harness async throws in
            let code = try await harness.services.accounts.setup.createCode()
            let token = try #require(try await setUp(harness, code: code).object()["token"] as? String)
            let made = try await harness.send(.post, "/admin/invitations", "{}", token: token).object()
            let invitation = try #require(made["code"] as? String)
            let statuses = try await withThrowingTaskGroup(of: HTTPResponse.Status.self) { group in
                for number in 0..<8 {
                    group.addTask {
                        try await register(harness, "ben\(number)@example.org", invitation: invitation).status
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(statuses.filter { $0 == .created }.count == 1, "\(statuses)")
        }
    }

    @Test("An account from the command line opens nothing, and its rights close registration")
    func commandLine() async throws {
        try await withServer(settings: Self.unset) { harness async throws in
            let administrators = harness.services.accounts.administrators
            let code = try await harness.services.accounts.setup.createCode()
            _ = try await administrators.create(email: "mia@example.org", name: "Mia", password: "correct horse")
            #expect(try await register(harness, "ben@example.org").html.contains(AccountMessage.setUpRequired.text))
            _ = try await administrators.setOperator(email: "mia@example.org", true)
            harness.clock.advance(milliseconds: Limits.registrationStateMilliseconds)
            let closed = try await register(harness, "ben@example.org")
            #expect(closed.html.contains(AccountMessage.registrationClosed.text))
            #expect(try await harness.browse("/").status == .ok)
            // The code of the log doesn't survive the rights, even when they are revoked.
            _ = try await administrators.setOperator(email: "mia@example.org", false)
            #expect(try await setUp(harness, code: code, email: "eve@example.org").errorFields() == ["code"])
        }
    }

    @Test("A code of the set-up expires")
    func expiredCode() async throws {
        try await withServer(settings: Self.unset) { harness async throws in
            let code = try await harness.services.accounts.setup.createCode()
            harness.clock.advance(seconds: Limits.setupCodeSeconds)
            #expect(try await setUp(harness, code: code).errorFields() == ["code"])
        }
    }

    @Test("Sign-up by the form of an invitation leads to the start page")
    func form() async throws {
        try await withServer(settings: Self.unset) { harness async throws in
            let code = try await harness.services.accounts.setup.createCode()
            let token = try #require(try await setUp(harness, code: code).object()["token"] as? String)
            let made = try await harness.send(.post, "/admin/invitations", "{}", token: token).object()
            let invitation = try #require(made["code"] as? String)
            var headers = HTTPFields.page
            headers[.contentType] = "application/x-www-form-urlencoded"
            func submit(_ email: String) async throws -> TestResponse {
                try await harness.client.executeRequest(
                    uri: "/accounts", method: .post, headers: headers,
                    body: .init(
                        string: "email=\(email)&password=correct+horse&name=Ben&app=tracking"
                            + "&return=/invitations/\(invitation)"))
            }
            let done = try await submit("ben%40example.org")
            #expect(done.headers[.location] == "/invitations/\(invitation)")
            let cookie = try #require(done.sessionCookie)
            headers[.cookie] = cookie
            let next = try await harness.client.executeRequest(
                uri: "/invitations/\(invitation)", method: .get, headers: headers, body: nil)
            #expect(next.headers[.location] == "/")
        }
    }
}
