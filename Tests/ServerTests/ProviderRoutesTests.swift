import Accounts
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Kernel
import NIOCore
import Server
import Storage
import TestSupport
import Testing
import WebCore

@Suite("Sign-in with other services over HTTP")
struct ProviderRoutesTests {
    /// Port 9 of this computer has no listener.
    private static let away = "http://127.0.0.1:9"

    private static let all = [
        "HOMEWARD_APPLE_CLIENT_ID": "apple", "HOMEWARD_APPLE_CLIENT_SECRET": "s", "HOMEWARD_APPLE_ISSUER": away,
        "HOMEWARD_GOOGLE_CLIENT_ID": "google", "HOMEWARD_GOOGLE_CLIENT_SECRET": "s", "HOMEWARD_GOOGLE_ISSUER": away,
        "HOMEWARD_FACEBOOK_CLIENT_ID": "facebook", "HOMEWARD_FACEBOOK_ISSUER": away, "HOMEWARD_OIDC_CLIENT_ID": "own",
        "HOMEWARD_OIDC_ISSUER": away, "HOMEWARD_OIDC_NAME": "Club <1>",
    ]

    private static func attempts(_ server: ServerHarness) async throws -> Int {
        try await server.services.database.read { tx in
            try tx.row("SELECT COUNT(*) AS attempts FROM provider_attempt")?.get("attempts") ?? -1
        }
    }

    @Test("Only configured services have a button, with an accessible name")
    func buttons() async throws {
        try await withServer { server async throws in
            let page = try await server.browse("/sign-in")
            for name in ProviderName.allCases {
                #expect(!String(buffer: page.body).contains("/sign-in/\(name.rawValue)"))
                #expect(try await server.browse("/sign-in/\(name.rawValue)").status == .notFound)
                #expect(try await server.browse("/sign-in/\(name.rawValue)/callback").status == .notFound)
            }
            #expect(try await server.browse("/sign-in/apple/callback", method: .post).status == .notFound)
        }
        try await withServer(settings: Self.all) { server async throws in
            let page = String(buffer: try await server.browse("/sign-in?return=/family").body)
            let order = ["apple", "google", "facebook", "oidc"].compactMap {
                page.range(of: "provider-\($0)\"")?.lowerBound
            }
            #expect(order.count == 4)
            #expect(order == order.sorted())
            for name in ["Apple", "Google", "Facebook", "Club &lt;1&gt;"] {
                #expect(page.contains("aria-label=\"Sign in with \(name)\""))
            }
            #expect(page.contains("href=\"/sign-in/google?return=%2Ffamily\""))
        }
    }

    @Test("An unreachable service redirects back to the page, which shows the error")
    func away() async throws {
        try await withServer(settings: Self.all) { server async throws in
            let answer = try await server.browse("/sign-in/google?return=/family")
            #expect(answer.status == .seeOther)
            let location = try #require(answer.headers[.location])
            #expect(location == "/sign-in?provider=google&outcome=unavailable&return=%2Ffamily")
            let page = String(buffer: try await server.browse(location).body)
            #expect(page.contains("role=\"alert\">Google can’t be reached right now."))
            #expect(try await Self.attempts(server) == 1)
        }
    }

    @Test(
        "F-03-B, F-04-B, F-05-B: A person whom the service refuses stays signed out, and no account is created",
        arguments: ["apple", "google", "facebook"])
    func refusedThere(name: String) async throws {
        let stub = StubServer()
        try await stub.serve { url in
            stub.reply(
                .ok,
                #"""
                {"issuer":"\#(url)","authorization_endpoint":"\#(url)/authorize","token_endpoint":"\#(url)/token",
                "jwks_uri":"\#(url)/keys"}
                """#)
            let settings = Self.all.merging(["HOMEWARD_\(name.uppercased())_ISSUER": url]) { _, new in new }
            try await withServer(settings: settings) { server async throws in
                let departure = try await server.browse("/sign-in/\(name)?return=/family")
                #expect(departure.status == .seeOther)
                let location = try #require(departure.headers[.location])
                #expect(location.hasPrefix("\(url)/authorize?"))
                let state = try #require(location.firstMatch(of: #/[?&]state=([^&]+)/#)).output.1
                let cookies = departure.headers[values: .setCookie]
                let setting = try #require(cookies.first { $0.contains("homeward-provider=") })
                var headers = HTTPFields.page
                headers[.cookie] = String(setting.prefix { $0 != ";" })
                let back = try await server.client.executeRequest(
                    uri: "/sign-in/\(name)/callback?state=\(state)&error=server_error", method: .get, headers: headers,
                    body: nil)
                #expect(back.status == .seeOther)
                #expect(back.headers[.location] == "/sign-in?provider=\(name)&outcome=failed&return=%2Ffamily")
                #expect(back.sessionCookie == nil)
                headers[.accept] = "application/json"
                let account = try await server.client.executeRequest(
                    uri: "/account", method: .get, headers: headers, body: nil)
                #expect(account.status == .unauthorized)
                #expect(try await server.services.database.count("account") == 0)
            }
        }
    }

    @Test("Another site can't start a sign-in", arguments: ["cross-site", "same-site"])
    func elsewhere(site: String) async throws {
        try await withServer(settings: Self.all) { server async throws in
            var headers = HTTPFields.page
            headers[.secFetchSite] = site
            let answer = try await server.client.executeRequest(
                uri: "/sign-in/google?return=/family", method: .get, headers: headers, body: nil)
            #expect(answer.status == .seeOther)
            #expect(answer.headers[.location] == "/sign-in?return=%2Ffamily")
            #expect(answer.headers[.setCookie] == nil)
            #expect(try await Self.attempts(server) == 0)
            for own in ["same-origin", "none"] {
                headers[.secFetchSite] = own
                _ = try await server.client.executeRequest(
                    uri: "/sign-in/google", method: .get, headers: headers, body: nil)
            }
            #expect(try await Self.attempts(server) == 2)
        }
    }

    @Test("Sign-up offers services too, and leads into the app")
    func registerButtons() async throws {
        try await withServer { server async throws in
            #expect(!String(buffer: try await server.browse("/register").body).contains("Sign in with"))
        }
        try await withServer(settings: Self.all) { server async throws in
            let page = String(buffer: try await server.browse("/register").body)
            for name in ["apple", "google", "facebook", "oidc"] {
                #expect(page.contains("href=\"/sign-in/\(name)\""))
            }
            let family = String(buffer: try await server.browse("/register?app=family").body)
            #expect(family.contains("href=\"/sign-in/google?return=%2Ffamily\""))
            let invited = String(buffer: try await server.browse("/register?app=family&return=/family/scan").body)
            #expect(invited.contains("href=\"/sign-in/google?return=%2Ffamily%2Fscan\""))
        }
    }

    @Test("The result in the URL selects one of a few messages", arguments: ["cancelled", "failed", "expired"])
    func outcomes(outcome: String) async throws {
        try await withServer(settings: Self.all) { server async throws in
            let plain = String(buffer: try await server.browse("/sign-in").body)
            let told = String(buffer: try await server.browse("/sign-in?provider=apple&outcome=\(outcome)").body)
            #expect(told.contains(outcome == "cancelled" ? "role=\"status\"" : "role=\"alert\""))
            #expect(!plain.contains("class=\"form-error notice\""))
            for odd in ["provider=apple&outcome=<b>", "provider=unknown&outcome=failed", "outcome=offered"] {
                let page = String(buffer: try await server.browse("/sign-in?\(odd)").body)
                #expect(!page.contains("notice\""))
            }
        }
    }

    @Test("Apple's form is passed on unchanged, from any site, and nothing is stored")
    func handOver() async throws {
        try await withServer(settings: Self.all) { server async throws in
            var headers = HTTPFields.page
            headers[.contentType] = "application/x-www-form-urlencoded"
            headers[.secFetchSite] = "cross-site"
            headers[.origin] = "https://appleid.apple.com"
            func post(_ uri: String, _ body: String) async throws -> TestResponse {
                try await server.client.executeRequest(
                    uri: uri, method: .post, headers: headers, body: ByteBuffer(string: body))
            }
            let answer = try await post("/sign-in/apple/callback", "state=a+b&code=c%26d&id_token=secret&more=x")
            #expect(answer.status == .seeOther)
            #expect(answer.headers[.location] == "/sign-in/apple/callback?state=a%20b&code=c%26d")
            #expect(answer.headers[.setCookie] == nil)
            #expect(answer.headers[.cacheControl] == "no-store")
            let long = String(repeating: "u", count: 20_000)
            #expect(try await post("/sign-in/apple/callback", "state=s&user=\(long)").status == .contentTooLarge)
            for uri in ["/session", "/accounts", "/account/identities"] {
                #expect(try await post(uri, "provider=apple").status == .forbidden)
            }
            #expect(try await post("/sign-in/google/callback", "state=s").status == .methodNotAllowed)
            #expect(try await Self.attempts(server) == 0)
            #expect(try await server.services.database.count("account") == 0)
        }
    }

    @Test("A callback without our cookie starts again, signed out")
    func strangers() async throws {
        try await withServer(settings: Self.all) { server async throws in
            for query in ["", "?state=s&code=c", "?state=s&error=access_denied", "?code=c"] {
                let answer = try await server.browse("/sign-in/google/callback\(query)")
                #expect(answer.status == .seeOther)
                #expect(answer.headers[.location] == "/sign-in?provider=google&outcome=expired")
                #expect(answer.sessionCookie == nil)
            }
            #expect(try await server.browse("/sign-in/google/callback?state=s", method: .head).status == .noContent)
        }
    }

    @Test("Identities are listed, and can be added from our own pages only")
    func identities() async throws {
        try await withServer(settings: Self.all) { server async throws in
            let registration = Registration(email: "mia@example.org", password: "correct horse", name: "Mia")
            let device = DeviceInfo(name: "curl", kind: .bearer, clientAddress: "192.0.2.1")
            let token = try await server.services.accounts.registrations.register(registration, device: device).token
            let list = try await server.send(.get, "/account/identities", token: token)
            #expect(list.status == .ok)
            let items = try list.object()["items"] as? [[String: Any]]
            #expect(items?.map { $0["provider"] as? String } == ["apple", "google", "facebook", "oidc"])
            #expect(items?.allSatisfy { $0["linked"] as? Bool == false } ?? false)
            let bare = try await server.send(.post, "/account/identities", #"{"provider":"google"}"#, token: token)
            #expect(bare.status == .unprocessableContent)
            #expect((try bare.error()["fields"] as? [String: Any])?["password"] != nil)
            let wanted = #"{"provider":"google","password":"correct horse"}"#
            let away = try await server.send(.post, "/account/identities", wanted, token: token)
            #expect(away.status == .serviceUnavailable)
            let unknown = try await server.send(.post, "/account/identities", #"{"provider":"other"}"#, token: token)
            #expect(unknown.status == .unprocessableContent)
            #expect(try await server.send(.delete, "/account/identities/google", token: token).status == .notFound)
            #expect(try await server.send(.get, "/account/identities").status == .unauthorized)
            #expect(
                try await server.send(.post, "/account/confirmation", #"{}"#, token: token).status
                    == .unprocessableContent)
        }
    }
}

@Suite("Settings of sign-in services")
struct ProviderSettingsTests {
    struct Refused: CustomTestStringConvertible, Sendable {
        let setting: Setting
        let values: [String: String]
        var testDescription: String { "\(values)" }
    }

    @Test(
        "An invalid setting is rejected at start-up, by its name",
        arguments: [
            Refused(setting: .googleClientSecret, values: ["HOMEWARD_GOOGLE_CLIENT_ID": "c"]),
            Refused(setting: .googleClientID, values: ["HOMEWARD_GOOGLE_CLIENT_SECRET": "s"]),
            Refused(setting: .appleClientID, values: ["HOMEWARD_APPLE_TEAM_ID": "t"]),
            Refused(
                setting: .appleKeyID, values: ["HOMEWARD_APPLE_CLIENT_ID": "c", "HOMEWARD_APPLE_TEAM_ID": "t"]),
            Refused(
                setting: .appleKeyFile,
                values: [
                    "HOMEWARD_APPLE_CLIENT_ID": "c", "HOMEWARD_APPLE_TEAM_ID": "t", "HOMEWARD_APPLE_KEY_ID": "k",
                    "HOMEWARD_APPLE_KEY_FILE": "/no/such/file",
                ]),
            Refused(setting: .appleClientSecret, values: ["HOMEWARD_APPLE_CLIENT_ID": "c"]),
            Refused(setting: .oidcClientID, values: ["HOMEWARD_OIDC_ISSUER": "https://id.example"]),
            Refused(setting: .oidcIssuer, values: ["HOMEWARD_OIDC_CLIENT_ID": "c"]),
            Refused(
                setting: .oidcIssuer,
                values: ["HOMEWARD_OIDC_CLIENT_ID": "c", "HOMEWARD_OIDC_ISSUER": "http://id.example"]),
            Refused(
                setting: .oidcName,
                values: [
                    "HOMEWARD_OIDC_CLIENT_ID": "c", "HOMEWARD_OIDC_ISSUER": "https://id.example",
                    "HOMEWARD_OIDC_NAME": String(repeating: "n", count: 41),
                ]),
        ])
    func refused(refused: Refused) {
        #expect {
            try ServerSettingsTests.settings(refused.values)
        } throws: { ($0 as? SettingError)?.setting == refused.setting }
    }

    @Test("A public client needs no secret")
    func publicClient() throws {
        let settings = try ServerSettingsTests.settings([
            "HOMEWARD_OIDC_CLIENT_ID": "c", "HOMEWARD_OIDC_ISSUER": "https://id.example",
        ])
        #expect(settings.providers.map(\.label) == ["OpenID"])
        #expect(try ServerSettingsTests.settings([:]).providers.isEmpty)
    }
}
