import Accounts
import Kernel
import TestSupport
import Testing

@Suite("Tests of sign-in providers by administrators")
struct ProviderAdministrationTests {
    /// Creates an administrator and returns their actor.
    private func administrator(_ site: ProviderFixture) async throws -> Actor {
        let mia = try await site.fixture.join()
        _ = try await site.fixture.service.administrators.setOperator(email: "mia@example.org", true)
        return mia.actor
    }

    private func findings(_ site: ProviderFixture, by actor: Actor) async throws -> [ProviderFinding] {
        try await site.fixture.service.providerAdministration.test(.oidc, by: actor)
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
