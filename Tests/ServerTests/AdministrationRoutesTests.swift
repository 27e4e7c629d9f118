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

/// An administrator, Mia, and another adult, Ben.
struct AdministrationFixture {
    let harness: ServerHarness
    let mia: String
    let ben: String
    let benID: String

    init(_ harness: ServerHarness) async throws {
        self.harness = harness
        mia = try await harness.join("mia@example.org")
        // The newest come first in lists.
        harness.clock.advance(milliseconds: 1)
        ben = try await harness.join("ben@example.org")
        _ = try await harness.services.accounts.administrators.setOperator(email: "mia@example.org", true)
        let account = try await harness.send(.get, "/account", token: ben).object()
        benID = try #require(account["id"] as? String)
    }

    /// Stores the proof that acts on other accounts need.
    func prove() async throws {
        let proof = try await harness.send(
            .post, "/account/proofs/administration", #"{"password":"correct horse"}"#, token: mia)
        #expect(proof.status == .created)
    }

    func act(_ method: HTTPRequest.Method, _ path: String, _ body: String? = "{}") async throws -> TestResponse {
        harness.clock.advance(milliseconds: 1)
        return try await harness.send(method, "/admin\(path)", body, token: mia)
    }

    func signIn(_ email: String) async throws -> TestResponse {
        try await harness.send(.post, "/session", #"{"email":"\#(email)","password":"correct horse"}"#)
    }

    /// The actions in the log, the newest first.
    func log() async throws -> [String] {
        let items = try await act(.get, "/log", nil).object()["items"] as? [[String: Any]]
        return try #require(items).compactMap { $0["action"] as? String }
    }
}

@Suite("Administration over HTTP")
struct AdministrationRoutesTests {
    @Test("H-08: Every route for administrators rejects other adults, and takes effect again once rights are revoked")
    func everyRoute() async throws {
        try await withServer { harness async throws in
            let fixture = try await AdministrationFixture(harness)
            let routes = harness.server.web.routes.filter { $0.access == .administrator }
            #expect(routes.count > 10)
            #expect(harness.server.web.routes.filter { $0.path.hasPrefix("/admin") } == routes)
            let source = try await harness.send(.post, "/tracking/sources", #"{"kind":"osmand"}"#, token: fixture.ben)
            let sourceID = try #require(try source.object()["id"] as? String)
            for entry in routes {
                let id = entry.path.hasPrefix("/admin/trackers/") ? sourceID : fixture.benID
                let path = entry.path.replacing("{id}", with: id).replacing("{provider}", with: "google")
                let answer = try await harness.send(
                    entry.method, path, entry.method == .get ? nil : "{}", token: fixture.ben)
                #expect(answer.status == .forbidden, "\(entry.method) \(path)")
                guard entry.method == .get else { continue }
                let allowed = try await harness.send(.get, path, token: fixture.mia)
                #expect(allowed.status == .ok, "\(entry.method) \(path): \(allowed.html)")
            }
            let row = try await harness.send(.get, "/admin/people/\(fixture.benID)", token: fixture.mia).object()
            #expect(row["administrator"] as? Bool == false)
            _ = try await harness.services.accounts.administrators.setOperator(email: "mia@example.org", false)
            #expect(try await fixture.act(.get, "", nil).status == .forbidden)
        }
    }

    @Test(
        "H-06, H-07: A disabled account is signed out at once and can't sign in until it is enabled",
        arguments: Engine.allCases)
    func disabling(engine: Engine) async throws {
        try await withServer(engine) { harness async throws in
            let fixture = try await AdministrationFixture(harness)
            try await fixture.prove()
            let disabled = try await fixture.act(.put, "/people/\(fixture.benID)/disabling")
            #expect(disabled.status == .ok, "\(disabled.html)")
            #expect(try disabled.object()["disabledAt"] is String)
            #expect(try await harness.send(.get, "/account", token: fixture.ben).status == .unauthorized)
            let refused = try await fixture.signIn("ben@example.org")
            #expect(refused.status == .forbidden)
            #expect(refused.html.contains(AccountMessage.accountDisabled.text))
            #expect(try await fixture.act(.delete, "/people/\(fixture.benID)/disabling").status == .ok)
            #expect(try await fixture.signIn("ben@example.org").status == .created)
            #expect(try await fixture.log() == ["enable-account", "disable-account", "grant-administrator"])
        }
    }

    @Test("A disabled person gets the reason on the sign-in page, and a wrong password doesn't reveal it")
    func disabledPage() async throws {
        try await withServer { harness async throws in
            let fixture = try await AdministrationFixture(harness)
            try await fixture.prove()
            _ = try await fixture.act(.put, "/people/\(fixture.benID)/disabling")
            var headers = HTTPFields.page
            headers[.contentType] = "application/x-www-form-urlencoded"
            for (password, text) in [
                ("correct+horse", AccountMessage.accountDisabled), ("wrong+horse", .credentialsWrong),
            ] {
                let page = try await harness.client.executeRequest(
                    uri: "/session", method: .post, headers: headers,
                    body: .init(string: "email=ben%40example.org&password=\(password)"))
                #expect(page.html.contains(text.text), "\(password): \(page.html)")
            }
        }
    }

    @Test("Administrators can't disable, delete or demote themselves")
    func own() async throws {
        try await withServer { harness async throws in
            let fixture = try await AdministrationFixture(harness)
            try await fixture.prove()
            let mia = try #require(
                try await harness.send(.get, "/account", token: fixture.mia).object()["id"] as? String)
            for (method, part) in [
                (HTTPRequest.Method.put, "/disabling"), (.delete, "/administrator"), (.delete, ""),
            ] {
                #expect(try await fixture.act(method, "/people/\(mia)\(part)").status == .conflict, "\(part)")
            }
            #expect(try await fixture.log() == ["grant-administrator"])
        }
    }

    @Test("Two administrators who revoke each other's rights at once leave one", arguments: Engine.allCases)
    func mutual(engine: Engine) async throws {
        try await withServer(engine) { harness async throws in
            let fixture = try await AdministrationFixture(harness)
            _ = try await harness.services.accounts.administrators.setOperator(email: "ben@example.org", true)
            let mia = try await harness.send(.get, "/account", token: fixture.mia).object()["id"] as? String
            let miaID = try #require(mia)
            for token in [fixture.mia, fixture.ben] {
                let proof = try await harness.send(
                    .post, "/account/proofs/administration", #"{"password":"correct horse"}"#, token: token)
                #expect(proof.status == .created)
            }
            async let first = harness.send(
                .delete, "/admin/people/\(fixture.benID)/administrator", "{}", token: fixture.mia)
            async let second = harness.send(.delete, "/admin/people/\(miaID)/administrator", "{}", token: fixture.ben)
            let statuses = Set([try await first.status, try await second.status])
            #expect(statuses == [.ok, .forbidden], "\(statuses)")
        }
    }

    @Test("The invitations of a person who is no longer an administrator end")
    func invitationsEnd() async throws {
        try await withServer(settings: ["HOMEWARD_REGISTRATION": "closed"]) { harness async throws in
            let administrators = harness.services.accounts.administrators
            for name in ["mia", "ben"] {
                _ = try await administrators.create(
                    email: "\(name)@example.org", name: name, password: "correct horse")
                _ = try await administrators.setOperator(email: "\(name)@example.org", true)
            }
            let signedIn = try await harness.send(
                .post, "/session", #"{"email":"ben@example.org","password":"correct horse"}"#)
            let ben = try #require(try signedIn.object()["token"] as? String)
            let made = try await harness.send(.post, "/admin/invitations", "{}", token: ben).object()
            let code = try #require(made["code"] as? String)
            #expect(try await harness.browse("/invitations/\(code)").status == .ok)
            _ = try await administrators.setOperator(email: "ben@example.org", false)
            #expect(try await harness.browse("/invitations/\(code)").status == .notFound)
        }
    }

    @Test(
        "A link for a person's new password ends with its administrator",
        arguments: ["disabled", "revoked", "password"])
    func resetLinksEnd(how: String) async throws {
        try await withServer { harness async throws in
            let fixture = try await AdministrationFixture(harness)
            let administrators = harness.services.accounts.administrators
            _ = try await administrators.setOperator(email: "ben@example.org", true)
            let cem = try await harness.join("cem@example.org")
            let account = try await harness.send(.get, "/account", token: cem).object()["id"] as? String
            let proof = try await harness.send(
                .post, "/account/proofs/administration", #"{"password":"correct horse"}"#, token: fixture.ben)
            #expect(proof.status == .created)
            let made = try await harness.send(
                .post, "/admin/people/\(try #require(account))/reset-links", "{}", token: fixture.ben)
            let url = try #require(try made.object()["url"] as? String, "\(made.html)")
            let path = "/password-resets/" + (url.split(separator: "/").last ?? "")
            #expect(try await harness.browse(path).status == .ok)
            switch how {
            case "disabled":
                try await fixture.prove()
                #expect(try await fixture.act(.put, "/people/\(fixture.benID)/disabling").status == .ok)
            case "revoked": _ = try await administrators.setOperator(email: "ben@example.org", false)
            default:
                let body = #"{"current":"correct horse","password":"battery staple"}"#
                #expect(
                    try await harness.send(.put, "/account/password", body, token: fixture.ben).status == .noContent)
            }
            #expect(try await harness.browse(path).status == .notFound)
        }
    }

    @Test("Rights, sessions, links and deletion of another account", arguments: Engine.allCases)
    func acts(engine: Engine) async throws {
        try await withServer(engine) { harness async throws in
            let fixture = try await AdministrationFixture(harness)
            try await fixture.prove()
            let path = "/people/\(fixture.benID)"
            #expect(try await fixture.act(.put, "\(path)/administrator").status == .ok)
            #expect(try await harness.send(.get, "/admin", token: fixture.ben).status == .ok)
            #expect(try await fixture.act(.delete, "\(path)/administrator").status == .ok)
            #expect(try await harness.send(.get, "/admin", token: fixture.ben).status == .forbidden)
            let link = try await fixture.act(.post, "\(path)/reset-links")
            #expect(link.status == .created)
            let url = try #require(try link.object()["url"] as? String)
            let reset = try #require(url.split(separator: "/").last)
            let chosen = try await harness.send(
                .put, "/password-resets/\(reset)", #"{"password":"battery staple"}"#)
            #expect(chosen.status == .noContent)
            let back = try await harness.send(
                .post, "/session", #"{"email":"ben@example.org","password":"battery staple"}"#)
            let token = try #require(try back.object()["token"] as? String)
            #expect(try await fixture.act(.delete, "\(path)/sessions").status == .ok)
            #expect(try await harness.send(.get, "/account", token: token).status == .unauthorized)
            #expect(try await fixture.act(.delete, path).status == .noContent)
            #expect(try await fixture.act(.get, path, nil).status == .notFound)
            #expect(
                try await fixture.log() == [
                    "delete-account", "end-sessions", "create-reset-link", "revoke-administrator",
                    "grant-administrator", "grant-administrator",
                ])
        }
    }

    @Test("People are found by the beginning of name or email in either case, and by id", arguments: Engine.allCases)
    func search(engine: Engine) async throws {
        try await withServer(engine) { harness async throws in
            let fixture = try await AdministrationFixture(harness)
            func found(_ text: String) async throws -> [String] {
                let query = text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
                let items = try await fixture.act(.get, "/people?search=\(query)", nil).object()["items"]
                return try #require(items as? [[String: Any]]).compactMap { $0["email"] as? String }
            }
            #expect(try await found("BEN@") == ["ben@example.org"])
            #expect(try await found(fixture.benID) == ["ben@example.org"])
            #expect(try await found("zoe") == [])
            _ = try await harness.services.database.write { tx in
                try tx.execute(
                    """
                    UPDATE account SET name = 'Zoé O’Hara-Çelik', name_folded = NULL WHERE id = \(fixture.benID)
                    """)
            }
            // As in a database of an earlier version.
            #expect(try await found("zoe") == [])
            try await harness.services.accounts.housekeeping.run()
            for typed in ["zoe", "Zoé O'Hara", "ZOE OHARA CELIK"] {
                #expect(try await found(typed) == ["ben@example.org"])
            }
            #expect(try await found("%") == [])
            #expect(try await found("mi") == ["mia@example.org"])
            #expect(try await found("") == ["ben@example.org", "mia@example.org"])
        }
    }

    @Test("The list of dead jobs opens, and an unknown job gets 404")
    func jobs() async throws {
        try await withServer { harness async throws in
            let fixture = try await AdministrationFixture(harness)
            let page = try await fixture.act(.get, "/jobs", nil)
            #expect(page.status == .ok)
            let unknown = "01890000-0000-7000-8000-000000000000"
            #expect(try await fixture.act(.post, "/jobs/\(unknown)/retries").status == .notFound)
        }
    }
}

extension AdministrationRoutesTests {
    @Test("The checks find what isn't set up")
    func checks() async throws {
        try await withServer { harness async throws in
            let fixture = try await AdministrationFixture(harness)
            let items = try await fixture.act(.get, "/checks", nil).object()["items"] as? [[String: Any]]
            let levels = try #require(items).reduce(into: [String: String]()) { levels, item in
                levels[item["check"] as? String ?? ""] = item["level"] as? String
            }
            #expect(
                levels == [
                    "address": "note", "database": "good", "clock": "good", "jobs": "good", "administrator": "good",
                    "registration": "note", "backup": "note", "objects": "good", "disk": "good", "mail": "note",
                    "schema": "good", "keys": "good", "push": "good", "map": "good", "pictures": "good",
                ])
        }
    }

    @Test("Without mail, a test mail is rejected with the reason")
    func testMail() async throws {
        try await withServer { harness async throws in
            let fixture = try await AdministrationFixture(harness)
            let answer = try await fixture.act(.post, "/mail/tests", #"{"email":"mia@example.org"}"#)
            #expect(answer.status == .conflict)
            #expect(answer.html.contains(AccountMessage.mailNotSetUp.text))
            #expect(try await fixture.log() == ["grant-administrator"])
        }
    }
}
