import Accounts
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Kernel
import Server
import Storage
import TestSupport
import Testing
import WebCore

/// A script reaches exactly the routes of its token's scopes. The lists of routes and scopes come from the program.
@Suite("Access tokens on every route")
struct AccessTokenRoutesTests {
    /// Who owns the token.
    enum Owner: CaseIterable {
        case person, administrator, personWithLockedDevice, child
    }

    private static func create(
        _ server: ServerHarness, _ scopes: [String], token: String, adding fields: [String: any Sendable] = [:]
    ) async throws -> TestResponse {
        var body: [String: any Sendable] = ["name": "Backup", "scopes": scopes, "password": "correct horse"]
        body.merge(fields) { _, new in new }
        let json = try JSONSerialization.data(withJSONObject: body)
        return try await server.send(
            .post, "/account/access-tokens", String(decoding: json, as: UTF8.self), token: token)
    }

    private static func secret(
        _ scopes: Set<AccessScope>, of owner: Owner, _ fixture: ChildrenFixture
    ) async throws -> String {
        let answer = try await create(fixture.server, scopes.map(\.rawValue), token: fixture.parent)
        #expect(answer.status == .created, "\(answer.html)")
        let secret = try #require(try answer.object()["token"] as? String)
        if owner == .child {
            // A child can't create a token. If it could, its own limits must hold as well.
            let child = fixture.child
            try await fixture.server.services.database.write { tx in
                try tx.execute("UPDATE access_token SET account_id = \(child)")
            }
        }
        return secret
    }

    private static func prepare(_ owner: Owner, _ fixture: ChildrenFixture) async throws {
        switch owner {
        case .person, .child: break
        case .administrator:
            _ = try await fixture.server.services.accounts.administrators.setOperator(email: "mia@example.org", true)
        case .personWithLockedDevice:
            let body = #"{"passcode":"271828","repeat":"271828"}"#
            #expect(try await fixture.asParent(.put, "/lock/passcode", body).status == .noContent)
        }
    }

    /// A path whose resources don't exist, so that no request has an effect on a later one.
    private static func path(_ entry: RouteEntry) -> String {
        entry.path.split(separator: "/").reduce("") { path, step in
            path + "/" + (step.hasPrefix("{") ? "01890000-0000-7000-8000-000000000000" : String(step))
        }
    }

    @Test(
        "A token reaches the routes of its scopes and no others", arguments: Owner.allCases,
        [[AccessScope]](AccessScope.allCases.map { [$0] }) + [AccessScope.allCases])
    func everyRoute(owner: Owner, scopes: [AccessScope]) async throws {
        try await withChildren(.sqlite) { fixture async throws in
            try await Self.prepare(owner, fixture)
            let granted = Set(scopes)
            let secret = try await Self.secret(granted, of: owner, fixture)
            if owner == .personWithLockedDevice {
                #expect(try await fixture.asParent(.delete, "/lock/unlocking").status == .noContent)
                // The locked device itself can't create or see a token.
                #expect(
                    try await Self.create(fixture.server, ["tracking:read"], token: fixture.parent).status.code == 423)
            }
            for entry in fixture.server.server.web.routes where entry.access != .device {
                let name = "\(entry.method) \(entry.path)"
                let answer = try await fixture.server.send(entry.method, Self.path(entry), "{}", token: secret)
                #expect(answer.status != .unauthorized && answer.status.code != 423, "\(name)")
                let isServed = entry.tokenScopes.contains { $0.isIncluded(in: granted) }
                let isRefused = answer.status == .forbidden && answer.html.contains("ccess token")
                if owner == .child, entry.access == .signedIn || entry.access == .administrator {
                    #expect(answer.status == .forbidden, "\(name)")
                } else if entry.access == .sharedDevice || owner != .administrator && entry.access == .administrator {
                    #expect(answer.status == .forbidden, "\(name)")
                } else {
                    #expect(isRefused == !isServed, "\(name) gave \(answer.status)")
                }
            }
        }
    }

    @Test("No token reaches administration, sign-in, passkeys, the lock, proofs, devices, the password or tokens")
    func neverReached() async throws {
        try await withServer { server async throws in
            let closed = [
                "/admin", "/session", "/sign-in", "/setup", "/lock", "/accounts", "/account/", "/password-resets",
                "/email-", "/events", "/invitations", "/family/invitations", "/family/sign-in", "/family/account",
                "/tracking/sources", "/carrepsa/disputes", "/carrepsa/ledger", "/notifications/subscription",
            ]
            for entry in server.server.web.routes where closed.contains(where: entry.path.hasPrefix) {
                #expect(entry.tokenScopes.isEmpty, "\(entry.method) \(entry.path)")
            }
            for entry in server.server.web.routes {
                let name = "\(entry.method) \(entry.path)"
                if entry.access == .administrator || entry.access == .open || entry.access == .device {
                    #expect(entry.tokenScopes.isEmpty, "\(name)")
                }
                if entry.path.hasSuffix("/sign-in-codes") || entry.path.hasSuffix("/decision") {
                    #expect(entry.tokenScopes.isEmpty, "\(name)")
                }
                // A right to read never changes anything.
                let isReading = entry.tokenScopes.contains { $0.rawValue.hasSuffix(":read") }
                if isReading { #expect(entry.method == .get, "\(name)") }
            }
            #expect(server.server.web.routes.filter { !$0.tokenScopes.isEmpty }.count > 60)
        }
    }

    @Test("A token works until it expires, is revoked, or its person's password changes", arguments: Engine.allCases)
    func lifetime(engine: Engine) async throws {
        try await withServer(engine) { server async throws in
            let token = try await server.join("mia@example.org")
            func create(_ days: Int) async throws -> (id: String, secret: String) {
                let answer = try await Self.create(
                    server, ["tracking:read"], token: token, adding: ["expiresInDays": days])
                let object = try answer.object()
                let secret = try #require(object["token"] as? String)
                #expect(secret.hasPrefix("hwt_") && secret.utf8.count == 47)
                return (try #require(object["id"] as? String), secret)
            }
            func status(_ secret: String) async throws -> HTTPResponse.Status {
                try await server.send(.get, "/tracking/items", token: secret).status
            }
            let short = try await create(1)
            let revoked = try await create(30)
            let last = try await create(30)
            for secret in [short.secret, revoked.secret, last.secret] { #expect(try await status(secret) == .ok) }
            #expect(
                try await server.send(.delete, "/account/access-tokens/\(revoked.id)", token: token).status
                    == .noContent)
            #expect(try await status(revoked.secret) == .unauthorized)
            #expect(
                try await server.send(.delete, "/account/access-tokens/\(revoked.id)", token: token).status == .notFound
            )
            server.clock.advance(milliseconds: 24 * 60 * 60 * 1_000)
            #expect(try await status(short.secret) == .unauthorized)
            #expect(try await status(last.secret) == .ok)
            let listed = try await server.send(.get, "/account/access-tokens", token: token)
            let items = try #require(try listed.object()["items"] as? [[String: Any]])
            #expect(items.map { $0["id"] as? String } == [last.id, short.id])
            #expect(items.allSatisfy { $0["token"] == nil && $0["lastUsedAt"] is String })
            #expect(!listed.html.contains("hwt_"))
            let change = #"{"current":"correct horse","password":"new correct horse"}"#
            #expect(try await server.send(.put, "/account/password", change, token: token).status == .noContent)
            #expect(try await status(last.secret) == .unauthorized)
        }
    }

    @Test("A token of a disabled account gives no access, and neither does one of another person for a resource")
    func otherPeople() async throws {
        try await withServer { server async throws in
            let mia = try await server.join("mia@example.org")
            let ben = try await server.join("ben@example.org")
            let made = try await Self.create(server, ["tracking:write"], token: ben)
            let secret = try #require(try made.object()["token"] as? String)
            let item = try await server.send(.post, "/tracking/items", #"{"name":"Keys"}"#, token: mia)
            let id = try #require(try item.object()["id"] as? String)
            #expect(try await server.send(.get, "/tracking/items/\(id)", token: secret).status == .notFound)
            #expect(
                try await server.send(.post, "/tracking/items", #"{"name":"Bag"}"#, token: secret).status == .created)
            let tokenID = try #require(try made.object()["id"] as? String)
            #expect(try await server.send(.delete, "/account/access-tokens/\(tokenID)", token: mia).status == .notFound)
            try await server.services.database.write { tx in
                try tx.execute("UPDATE account SET disabled_at = 1 WHERE email_key = 'ben@example.org'")
            }
            server.clock.advance(milliseconds: Limits.sessionCacheMilliseconds + 1)
            #expect(try await server.send(.get, "/tracking/items", token: secret).status == .unauthorized)
        }
    }

    @Test("Pages with forms serve no token, so that reading creates nothing")
    func pages() async throws {
        try await withServer { server async throws in
            let token = try await server.join("mia@example.org")
            let made = try await Self.create(server, AccessScope.allCases.map(\.rawValue), token: token)
            let secret = try #require(try made.object()["token"] as? String)
            for entry in server.server.web.routes where entry.method == .get && !entry.tokenScopes.isEmpty {
                _ = try await server.send(.get, Self.path(entry), token: secret)
            }
            let households = try await server.services.database.read { tx in
                try tx.row("SELECT COUNT(*) AS n FROM family_household")?.get("n") ?? 0
            }
            #expect(households == 0)
        }
    }

    @Test("An administrator's token has no more rights than another person's")
    func administrator() async throws {
        try await withCarrepsa { site in
            let (ada, _, olga, path) = try await site.packageInTransit()
            let reason = #"{"reason":"It is broken"}"#
            let dispute = try await site.server.send(.post, path + "/dispute", reason, token: ada.token)
            #expect(dispute.status.code < 300, "\(dispute.html)")
            let made = try await Self.create(site.server, ["carrepsa:write"], token: try #require(olga.token))
            let secret = try #require(try made.object()["token"] as? String)
            let contact = "/carrepsa/people/\(ada.id)"
            #expect(try await site.server.send(.get, path, token: olga.token).status == .ok)
            #expect(try await site.server.send(.get, contact, token: olga.token).html.contains("ada@example.org"))
            #expect(try await site.server.send(.get, path, token: secret).status == .notFound)
            #expect(try await !site.server.send(.get, contact, token: secret).html.contains("ada@example.org"))
        }
    }

    @Test("Disabling an account and signing it out revoke its tokens for good", arguments: ["disabling", "sessions"])
    func administration(act: String) async throws {
        try await withServer { server async throws in
            let mia = try await server.join("mia@example.org")
            let ben = try await server.join("ben@example.org")
            _ = try await server.services.accounts.administrators.setOperator(email: "mia@example.org", true)
            let made = try await Self.create(server, ["tracking:read"], token: ben)
            let secret = try #require(try made.object()["token"] as? String)
            #expect(try await server.send(.get, "/tracking/items", token: secret).status == .ok)
            let id = try #require(try await server.send(.get, "/account", token: ben).object()["id"] as? String)
            let proof = #"{"password":"correct horse"}"#
            _ = try await server.send(.post, "/account/proofs/administration", proof, token: mia)
            let path = "/admin/people/\(id)/\(act)"
            let done = try await server.send(act == "sessions" ? .delete : .put, path, "{}", token: mia)
            #expect(done.status == .ok, "\(done.html)")
            #expect(try await server.send(.get, "/tracking/items", token: secret).status == .unauthorized)
            if act == "disabling" {
                #expect(try await server.send(.delete, path, "{}", token: mia).status == .ok)
                #expect(try await server.send(.get, "/tracking/items", token: secret).status == .unauthorized)
            }
        }
    }

    @Test("A secret isn't accepted as a cookie")
    func cookie() async throws {
        try await withServer { server async throws in
            let token = try await server.join("mia@example.org")
            let made = try await Self.create(server, ["tracking:read"], token: token)
            let secret = try #require(try made.object()["token"] as? String)
            let answer = try await server.client.executeRequest(
                uri: "/tracking/items", method: .get,
                headers: [.accept: "application/json", .cookie: "homeward-session=\(secret)"], body: nil)
            #expect(answer.status == .unauthorized)
        }
    }

    @Test("H-23: The form says what is missing or wrong, and keeps what was typed")
    func form() async throws {
        try await withServer { server async throws in
            let mia = try await FamilyTestServer(server: server).parent("Mia", app: "tracking")
            let path = "/account/access-tokens"
            let nameless = try await mia.submit(
                path, ["name": "", "scopes": "tracking:write", "expiresInDays": "30", "password": "wrong horse"])
            #expect(nameless.status == 422)
            #expect(nameless.text.contains("id=\"name-error\">Enter a name for the access token.</p>"))
            #expect(nameless.text.contains("name=\"scopes\" value=\"tracking:write\" checked"))
            let scopeless = try await mia.submit(
                path, ["name": "Script", "expiresInDays": "30", "password": "correct horse"])
            #expect(scopeless.status == 422)
            #expect(scopeless.text.contains("id=\"scopes-error\">Choose what the token can do.</p>"))
            #expect(scopeless.text.contains("name=\"name\" type=\"text\" value=\"Script\""))
            let unproven = try await mia.submit(
                path, ["name": "Script", "scopes": "tracking:write", "expiresInDays": "90", "password": "wrong horse"])
            #expect(unproven.status == 422)
            #expect(unproven.text.contains("That is not your password."))
            #expect(unproven.marked == ["password"])
            #expect(unproven.text.contains("name=\"name\" type=\"text\" value=\"Script\""))
            #expect(unproven.text.contains("name=\"scopes\" value=\"tracking:write\" checked"))
            #expect(unproven.text.contains("<option value=\"90\" selected>"))
            #expect(try await mia.send(.get, path).object().list("items").isEmpty)
        }
    }

    @Test("H-23: Invalid requests name their field and create no token")
    func invalid() async throws {
        try await withServer { server async throws in
            let token = try await server.join("mia@example.org")
            let cases: [(scopes: [String], fields: [String: any Sendable], field: String)] = [
                ([], [:], "scopes"), (["tracking:read", "admin:write"], [:], "scopes"),
                (["tracking:read"], ["name": " "], "name"),
                (["tracking:read"], ["name": String(repeating: "x", count: 500)], "name"),
                (["tracking:read"], ["expiresInDays": 0], "expiresInDays"),
                (["tracking:read"], ["expiresInDays": 366], "expiresInDays"),
                (["tracking:read"], ["password": "wrong horse"], "password"),
            ]
            for wrong in cases {
                let answer = try await Self.create(server, wrong.scopes, token: token, adding: wrong.fields)
                #expect(answer.status == .unprocessableContent)
                #expect(try answer.errorFields() == [wrong.field])
            }
            let listed = try await server.send(.get, "/account/access-tokens", token: token)
            #expect((try listed.object()["items"] as? [Any])?.isEmpty == true)
        }
    }

    @Test("The maximum number of tokens is kept, and expired ones disappear after a while", arguments: Engine.allCases)
    func limits(engine: Engine) async throws {
        try await withServer(engine) { server async throws in
            let token = try await server.join("mia@example.org")
            for _ in 0..<Limits.accessTokensPerAccount {
                let answer = try await Self.create(server, ["family:read"], token: token, adding: ["expiresInDays": 1])
                #expect(answer.status == .created)
            }
            #expect(try await Self.create(server, ["family:read"], token: token).status == .conflict)
            server.clock.advance(milliseconds: (24 * 60 * 60 + Limits.accessTokenKeptSeconds + 1) * 1_000)
            try await server.services.accounts.housekeeping.run()
            #expect(try await Self.create(server, ["family:read"], token: token).status == .created)
        }
    }
}
