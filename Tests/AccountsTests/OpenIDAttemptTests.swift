import Accounts
import Kernel
import Storage
import TestSupport
import Testing

@Suite("Attempts at a provider")
struct OpenIDAttemptTests {
    private static let discovery = "/.well-known/openid-configuration"

    @Test("A client over the limit causes no request to the provider", arguments: Engine.allCases)
    func countedFirst(engine: Engine) async throws {
        try await withProvider(engine) { site async throws in
            for _ in 0..<Limits.providerAttemptsPerAddress { _ = try await site.leave() }
            let other = try ProviderFixture(site.fixture)
            try await expectRefusal(.throttled) { _ = try await other.leave() }
            #expect(other.provider.fetches(Self.discovery) == 0)
        }
    }

    @Test("Attempts at an unreachable provider are counted as well")
    func failuresCount() async throws {
        try await withProvider(.sqlite) { site async throws in
            site.provider.change { $0.metadata = ["issuer": "https://evil.example"] }
            for _ in 0..<Limits.providerAttemptsPerAddress {
                await #expect(throws: ProviderFailure.self) { _ = try await site.leave() }
            }
            try await expectRefusal(.throttled) { _ = try await site.leave() }
        }
    }

    @Test("After a failure, the provider is asked again only after a while")
    func failuresAreRemembered() async throws {
        try await withProvider(.sqlite) { site async throws in
            site.provider.change { $0.metadata = ["issuer": "https://evil.example"] }
            for _ in 0..<5 { await #expect(throws: ProviderFailure.self) { _ = try await site.leave() } }
            #expect(site.provider.fetches(Self.discovery) == 1)
            site.provider.change { $0.metadata = [:] }
            site.fixture.clock.advance(seconds: Limits.providerFailureSeconds - 1)
            await #expect(throws: ProviderFailure.self) { _ = try await site.leave() }
            site.fixture.clock.advance(seconds: 1)
            #expect(try await site.comeIn().signedIn != nil)
            #expect(site.provider.fetches(Self.discovery) == 2)
        }
    }

    @Test("Concurrent attempts read the provider's configuration once")
    func atOnce() async throws {
        try await withProvider(.sqlite) { site async throws in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<8 { group.addTask { _ = try await site.leave() } }
                try await group.waitForAll()
            }
            #expect(site.provider.fetches(Self.discovery) == 1)
        }
    }

    @Test(
        "The destination is stored encrypted, and the returning browser can decrypt it", arguments: Engine.allCases,
        ["/family/invitations/K7QF2M9XTR4C", ""])
    func destination(engine: Engine, path: String) async throws {
        try await withProvider(engine) { site async throws in
            let departure = try await site.providers.attempts.begin(
                .signIn(offer: nil), at: .oidc, browser: nil, destination: path, clientAddress: "192.0.2.1")
            let stored = try await site.fixture.database.read { tx -> String? in
                try tx.row("SELECT destination FROM provider_attempt")?.get("destination")
            }
            #expect(try #require(stored) != path)
            #expect(!(try #require(stored).contains("invitations")))
            #expect(!(try #require(stored).contains("K7QF")))
            let outcome = try await site.finish(site.provider.agree(at: departure.url), departure)
            #expect(outcome.destination == path)
        }
    }

    @Test("An altered destination is ignored", arguments: ["", "/family/invitations/K7QF", "AAAA"])
    func tampered(stored: String) async throws {
        try await withProvider(.sqlite) { site async throws in
            let departure = try await site.leave()
            try await site.fixture.database.write { tx in
                try tx.execute("UPDATE provider_attempt SET destination = \(stored)")
            }
            let outcome = try await site.finish(site.provider.agree(at: departure.url), departure)
            #expect(outcome.signedIn != nil)
            #expect(outcome.destination.isEmpty)
        }
    }
}
