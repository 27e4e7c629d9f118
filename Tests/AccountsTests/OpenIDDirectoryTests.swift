import Accounts
import Foundation
import JWTKit
import Kernel
import Storage
import TestSupport
import Testing

@Suite("Discovery documents and keys")
struct OpenIDDirectoryTests {
    @Test("The discovery document and the keys are read once an hour")
    func cached() async throws {
        try await withProvider(.sqlite) { site async throws in
            for _ in 0..<3 { #expect(try await site.comeIn().signedIn != nil) }
            #expect(site.provider.fetches("/.well-known/openid-configuration") == 1)
            #expect(site.provider.fetches("/keys") == 1)
            site.fixture.clock.advance(seconds: Limits.providerCacheSeconds)
            #expect(try await site.comeIn().signedIn != nil)
            #expect(site.provider.fetches("/.well-known/openid-configuration") == 2)
            #expect(site.provider.fetches("/keys") == 2)
        }
    }

    @Test("An unknown key is looked up once more, which finds rotated keys")
    func rotation() async throws {
        try await withProvider(.sqlite) { site async throws in
            #expect(try await site.comeIn().signedIn != nil)
            site.provider.change { $0.rotation = 1 }
            #expect(try await site.comeIn().signedIn != nil)
            #expect(site.provider.fetches("/keys") == 2)
            site.provider.change { $0.twist = .unknownKey }
            #expect(try await site.comeIn().refusal == .failed)
            #expect(site.provider.fetches("/keys") == 3)
            site.provider.change {
                $0.twist = nil
                $0.rotation = 2
                $0.publishesKeys = false
            }
            #expect(try await site.comeIn().refusal == .failed)
            #expect(site.provider.fetches("/keys") == 4)
        }
    }

    struct Metadata: CustomTestStringConvertible, Sendable {
        let changed: [String: String]
        var testDescription: String { "\(changed)" }
    }

    @Test(
        "An unusable discovery document is refused",
        arguments: [
            Metadata(changed: ["issuer": "https://evil.example"]), Metadata(changed: ["issuer": "https://id.example/"]),
            Metadata(changed: ["token_endpoint": "http://id.example/token"]),
            Metadata(changed: ["jwks_uri": "http://127.0.0.1/keys"]),
            Metadata(changed: ["authorization_endpoint": "javascript:alert(1)"]),
            Metadata(changed: ["userinfo_endpoint": "https://user@id.example/userinfo"]),
        ])
    func unfit(metadata: Metadata) async throws {
        try await withProvider(.sqlite) { site async throws in
            site.provider.change { $0.metadata = metadata.changed }
            await #expect(throws: ProviderFailure.self) { _ = try await site.leave() }
            // The attempt is counted nevertheless.
            #expect(try await site.rows() == [0, 0, 0, 1, 0])
        }
    }

    @Test("An unreachable provider is distinguished from one that refuses the code")
    func away() async throws {
        try await withProvider(.sqlite) { site async throws in
            let departure = try await site.leave()
            let answer = site.provider.agree(at: departure.url)
            site.provider.change { $0.isAway = true }
            #expect(try await site.finish(answer, departure).refusal == .unavailable)
            site.fixture.clock.advance(seconds: Limits.providerCacheSeconds)
            await #expect(throws: ProviderFailure.unreachable("away")) { _ = try await site.leave() }
        }
    }

    @Test("A response with the issuer of another provider is refused")
    func otherIssuer() async throws {
        try await withProvider(.sqlite) { site async throws in
            let departure = try await site.leave()
            let answer = site.provider.agree(at: departure.url)
            let mixed = AuthorizationResponse(state: answer.state, code: answer.code, issuer: "https://evil.example")
            #expect(try await site.finish(mixed, departure).refusal == .failed)
            let next = try await site.leave()
            let right = site.provider.agree(at: next.url)
            let named = AuthorizationResponse(state: right.state, code: right.code, issuer: "https://id.example")
            #expect(try await site.finish(named, next).signedIn != nil)
        }
    }

    @Test(
        "An issuer is an https URL, or http on this computer",
        arguments: ["http://id.example", "http://192.168.0.1", "http://127.0.0.1.evil.example", "ftp://id.example", ""])
    func issuers(issuer: String) {
        #expect(throws: ProviderSettingsError.issuer) {
            try ProviderSettings(.oidc, issuer: issuer, clientID: "client", credential: .none)
        }
    }

    @Test(
        "The names and addresses of this computer are recognized",
        arguments: ["http://localhost:1", "http://127.0.0.1:1", "http://[::1]:1"])
    func localIssuers(issuer: String) throws {
        _ = try ProviderSettings(.oidc, issuer: issuer, clientID: "client", credential: .none)
    }

    private struct Statement: JWTPayload {
        let iss: String
        let sub: String
        let aud: String
        let iat: Double
        let exp: Double

        func verify(using algorithm: some JWTAlgorithm) async throws {}
    }

    @Test("The client authenticates to Apple by a JWT signed with its key")
    func appleSecret() async throws {
        try await withFixture(.sqlite) { fixture in
            let key = ES256PrivateKey()
            let provider = FakeProvider(clock: fixture.clock)
            let settings = try ProviderSettings(
                .apple, issuer: provider.issuer, clientID: provider.clientID,
                credential: .signed(try AppleKey(teamID: "TEAM", keyID: "KEY", pem: key.pemRepresentation))
            )
            let providers = AccountsFixture(fixture, providers: [settings], transport: provider).service.providers
            let departure = try await providers.attempts.begin(
                .signIn(offer: nil), at: .apple, browser: nil, destination: "", clientAddress: "192.0.2.1")
            let answer = provider.agree(at: departure.url)
            _ = try await providers.callbacks.finish(
                .apple, answer, browser: departure.browser, device: .phone, defaultName: "New here")
            let secret = try #require(provider.now.forms.last?["client_secret"])
            let keys = await JWTKeyCollection().add(ecdsa: key.publicKey)
            let statement = try await keys.verify(secret, as: Statement.self)
            #expect(statement.iss == "TEAM")
            #expect(statement.sub == provider.clientID)
            #expect(statement.aud == provider.issuer)
            #expect(statement.exp - statement.iat == 300)
            let head = Data(base64Encoded: String(secret.prefix { $0 != "." }) + "==") ?? Data()
            #expect(String(decoding: head, as: UTF8.self).contains("KEY"))
        }
        #expect(throws: ProviderSettingsError.key) { try AppleKey(teamID: "TEAM", keyID: "KEY", pem: "no key") }
    }
}
