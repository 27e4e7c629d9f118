import Kernel
import TestSupport
import Testing

@testable import Accounts

@Suite("Tests of sign-in providers by administrators")
struct ProviderAdministrationTests {
    /// Creates an administrator and returns their actor.
    private func administrator(_ site: ProviderFixture) async throws -> Actor {
        let mia = try await site.fixture.join()
        _ = try await site.fixture.service.administrators.setOperator(email: "mia@example.org", true)
        return mia.actor
    }

    private func findings(
        _ site: ProviderFixture, by actor: Actor, _ name: ProviderName = .oidc
    ) async throws -> [ProviderFinding] {
        try await site.fixture.service.providerAdministration.test(name, by: actor)
    }

    @Test("A provider that works is found to work, without a change to any account", arguments: Engine.allCases)
    func works(engine: Engine) async throws {
        try await withProvider(engine) { site in
            let mia = try await administrator(site)
            let before = try await site.rows()
            let found = try await findings(site, by: mia)
            #expect(
                found == [.documentWorks(issuer: "https://id.example"), .keysWork(count: 2), .clientWorks])
            #expect(!found.contains { $0.isProblem })
            #expect(try await site.rows() == before)
            let log = try await site.fixture.service.auditLog.list(for: mia, after: nil, limit: 5)
            #expect(log.items.first?.action == .testProvider)
            #expect(log.items.first?.detail == "oidc")
        }
    }

    @Test("Each fault of a provider is named, and a repaired provider is found to work at once")
    func faults() async throws {
        try await withProvider(.sqlite) { site in
            let mia = try await administrator(site)
            site.provider.change { $0.isAway = true }
            #expect(
                try await findings(site, by: mia) == [.unreachable(issuer: "https://id.example", reason: "away")])
            site.provider.change {
                $0.isAway = false
                $0.metadata = ["issuer": "https://id.example/"]
            }
            let differing = try await findings(site, by: mia)
            #expect(
                differing == [.issuerDiffers(configured: "https://id.example", published: "https://id.example/")])
            site.provider.change { $0.metadata = ["jwks_uri": "http://127.0.0.1/keys"] }
            #expect(try await findings(site, by: mia) == [.endpointRefused("http://127.0.0.1/keys")])
            site.provider.change {
                $0.metadata = [:]
                $0.publishesKeys = false
            }
            let keyless = try await findings(site, by: mia)
            #expect(keyless.filter { $0.isProblem } == [.keysFail("no RS256 or ES256 key")])
            site.provider.change { $0.publishesKeys = true }
            #expect(try await !findings(site, by: mia).contains { $0.isProblem })
        }
    }

    @Test(
        "The provider's answer to an unknown code says whether it accepts the client",
        arguments: [
            ("invalid_client", ProviderFinding.clientFails(code: "invalid_client")),
            ("redirect_uri_mismatch", .redirectFails(uri: "https://home.example/sign-in/oidc/callback")),
            ("server_error", .clientUntested(reason: "server_error")),
        ])
    func client(code: String, expected: ProviderFinding) async throws {
        try await withProvider(.sqlite) { site in
            let mia = try await administrator(site)
            site.provider.change { $0.tokenError = code }
            #expect(try await findings(site, by: mia).last == expected)
        }
    }

    @Test(
        "Facebook's errors say whether it accepts the client",
        arguments: [
            ("Error validating application. Invalid application ID.", 101, .clientFails(code: "invalid_client")),
            ("Error validating client secret.", 1, .clientFails(code: "invalid_client")),
            ("An unknown error occurred", 1, .clientUntested(reason: "token: OAuthException 1")),
            ("Invalid verification code format.", 100, .clientWorks),
            ("Missing redirect_uri parameter.", 100, .clientUntested(reason: "token: OAuthException 100")),
        ] as [(String, Int, ProviderFinding)])
    func facebook(message: String, code: Int, expected: ProviderFinding) async throws {
        try await withProvider(.sqlite, name: .facebook) { site in
            let mia = try await administrator(site)
            site.provider.change { $0.graphError = (message, code) }
            #expect(try await findings(site, by: mia, .facebook).last == expected)
        }
    }

    @Test("A provider on the internet can't direct requests to addresses that aren't public")
    func privateAddresses() async throws {
        let addresses = ["id.example": ["93.184.215.14"], "inside.example": ["93.184.215.14", "10.0.0.5"]]
        let transport = HTTPProviderTransport { host in addresses[host] ?? [host] }
        func failure(_ url: String, issuer: String) async -> ProviderFailure? {
            do throws(ProviderFailure) {
                _ = try await transport.send(ProviderRequest(url, of: issuer))
                return nil
            } catch {
                return error
            }
        }
        for url in [
            "https://inside.example/keys", "https://127.0.0.1/keys", "https://[::1]/keys", "https://169.254.1.1/keys",
            "http://192.168.1.1/keys", "http://127.0.0.1/keys",
        ] {
            #expect(await failure(url, issuer: "https://id.example") == .endpoint(url))
        }
        // Nothing listens on this port, so a request that is allowed fails later.
        for issuer in ["https://192.168.1.1", "https://[fe80::1]", "https://127.0.0.1:1"] {
            let failure = await failure("https://127.0.0.1:1/keys", issuer: issuer)
            #expect(failure != nil)
            #expect(failure != .endpoint("https://127.0.0.1:1/keys"))
        }
    }

    @Test("Tests are for administrators, of providers that are set up, and limited")
    func limits() async throws {
        try await withProvider(.sqlite) { site in
            let mia = try await administrator(site)
            let ben = try await site.fixture.join("ben@example.org").actor
            let service = site.fixture.service.providerAdministration
            #expect(try await refusal { _ = try await service.test(.oidc, by: ben) }?.code == .forbidden)
            #expect(try await refusal { _ = try await service.list(for: ben) }?.code == .forbidden)
            #expect(try await refusal { _ = try await service.test(.apple, by: mia) }?.code == .notFound)
            let all = try await service.list(for: mia)
            #expect(all.map(\.name) == ProviderName.allCases)
            #expect(all.filter { $0.issuer != nil }.map(\.name) == [.oidc])
            #expect(all.last?.redirectURI == "https://home.example/sign-in/oidc/callback")
            for _ in 0..<Limits.providerTests { _ = try await service.test(.oidc, by: mia) }
            #expect(try await refusal { _ = try await service.test(.oidc, by: mia) }?.code == .throttled)
        }
    }
}
