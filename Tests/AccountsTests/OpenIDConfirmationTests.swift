import Accounts
import Kernel
import Storage
import TestSupport
import Testing

@Suite("Proofs by a provider")
struct OpenIDConfirmationTests {
    struct Told: CustomTestStringConvertible, Sendable {
        let age: Double?
        var asText = false
        let isValid: Bool
        var testDescription: String { "\(age.map { "\($0) s ago" } ?? "doesn't say")\(asText ? ", as text" : "")" }
    }

    static let told = [
        Told(age: 0, isValid: true), Told(age: 0, asText: true, isValid: true), Told(age: 119, isValid: true),
        Told(age: 121, isValid: false), Told(age: 86_400, isValid: false),
        Told(age: 86_400, asText: true, isValid: false),
        Told(age: nil, isValid: false), Told(age: -121, isValid: false),
    ]

    @Test(
        "A provider whose token doesn't state a fresh authentication gives no proof",
        arguments: [ProviderName.oidc, .apple], told)
    func freshness(name: ProviderName, told: Told) async throws {
        try await withProvider(.sqlite, name: name) { site async throws in
            let nora = try #require(try await site.comeIn(at: name).signedIn)
            site.provider.change {
                $0.signInAge = told.age
                $0.saysSignInAsText = told.asText
            }
            // A sign-in doesn't require a fresh authentication.
            #expect(try await site.comeIn(at: name).signedIn != nil)
            let outcome = try await site.comeIn(at: name, for: .confirm(nora.actor, for: .deleteAccount))
            #expect(outcome.isConfirmed == told.isValid)
            #expect(outcome.refusal == (told.isValid ? nil : .stale))
            guard !told.isValid else { return }
            try await expectRefusal(.invalid) {
                try await site.fixture.service.deletions.delete(nora.actor, password: nil)
            }
        }
    }

    @Test("A proof requests fresh authentication and its time, and a sign-in doesn't")
    func request() async throws {
        try await withProvider(.sqlite) { site async throws in
            let nora = try #require(try await site.comeIn().signedIn)
            let again = FakeProvider.query(try await site.leave(.oidc, .confirm(nora.actor, for: .deleteAccount)).url)
            #expect(again["max_age"] == "0")
            #expect(again["prompt"] == "login")
            let plain = FakeProvider.query(try await site.leave().url)
            #expect(plain["max_age"] == nil)
            #expect(plain["prompt"] == nil)
        }
    }

    @Test(
        "A vendor that never states the time of authentication isn't asked for a proof",
        arguments: [ProviderName.google, .facebook])
    func vendors(name: ProviderName) async throws {
        try await withFixture(.sqlite) { fixture in
            let site = try ProviderFixture(fixture, name: name, issuer: try #require(name.standardIssuer))
            let own = try await fixture.join()
            #expect(!site.providers.catalog.canConfirm(name))
            try await expectRefusal(.conflict) {
                _ = try await site.leave(name, .confirm(own.actor, for: .deleteAccount))
            }
            #expect(try await site.rows(["provider_attempt"]) == [0])
            let other = try ProviderFixture(fixture, name: name)
            #expect(other.providers.catalog.canConfirm(name))
        }
    }
}

@Suite("Proofs before a provider is linked")
struct OpenIDLinkConfirmationTests {
    @Test(
        "Linking requires the password, and without it no request is sent to the provider",
        arguments: Engine.allCases)
    func password(engine: Engine) async throws {
        try await withProvider(engine) { site async throws in
            let owner = try await site.fixture.join()
            for wrong in [nil, "", "guessed wrong"] {
                try await expectRefusal(.invalid) {
                    _ = try await site.leave(.oidc, .link(owner.actor, password: wrong))
                }
            }
            #expect(try await site.rows() == [1, 1, 0, 0, 0])
            #expect(site.provider.fetches("/.well-known/openid-configuration") == 0)
            #expect(try await site.comeIn(for: .link(owner.actor, password: "correct horse")).isLinked)
        }
    }

    @Test("Without a password, linking requires a fresh sign-in, which permits one link", arguments: Engine.allCases)
    func withoutPassword(engine: Engine) async throws {
        try await withProvider(engine) { site async throws in
            let nora = try #require(try await site.comeIn().signedIn)
            let link = ProviderAttempt.link(nora.actor, password: nil)
            try await expectRefusal(.invalid) { _ = try await site.leave(.oidc, link) }
            #expect(try await site.comeIn(for: .confirm(nora.actor, for: .linkIdentity)).isConfirmed)
            #expect(try await site.comeIn(for: link).isLinked)
            try await expectRefusal(.invalid) { _ = try await site.leave(.oidc, link) }
        }
    }

    @Test("A new link is announced by mail, once")
    func mail() async throws {
        try await withFixture(.sqlite, hasMail: true) { fixture in
            let site = try ProviderFixture(fixture)
            let owner = try await fixture.join()
            await fixture.service.mailSender.sendQueuedMails()
            let before = fixture.mails.all.count
            for _ in 0..<2 {
                #expect(try await site.comeIn(for: .link(owner.actor, password: "correct horse")).isLinked)
            }
            await fixture.service.mailSender.sendQueuedMails()
            let mails = fixture.mails.all.dropFirst(before)
            #expect(mails.map(\.to) == ["mia@example.org"])
            #expect(mails.first?.body.contains("sign in to your Homeward account with OpenID") ?? false)
        }
    }

    @Test("The link of an offered identity is announced by mail, too")
    func offer() async throws {
        try await withFixture(.sqlite, hasMail: true) { fixture in
            let site = try ProviderFixture(fixture)
            let owner = try await fixture.join("nora@example.org", name: "Owner")
            let offer = try #require(try await site.comeIn().offer)
            await fixture.service.mailSender.sendQueuedMails()
            let before = fixture.mails.all.count
            #expect(try await site.providers.offers.accept(offer, by: owner.account.id) == .oidc)
            await fixture.service.mailSender.sendQueuedMails()
            #expect(fixture.mails.all.dropFirst(before).map(\.subject) == ["Another way to sign in"])
        }
    }
}
