import Accounts
import Kernel
import Storage
import TestSupport
import Testing

@Suite("An identity with the email of an existing account")
struct OpenIDTakeoverTests {
    @Test(
        "The identity doesn't take over the account, whether or not its email is verified",
        arguments: Engine.allCases, [true, false])
    func noTakeover(engine: Engine, isVerified: Bool) async throws {
        try await withProvider(engine) { site async throws in
            let owner = try await site.fixture.join("Nora@Example.org", name: "Owner")
            let person = ProviderPerson(isEmailVerified: isVerified)
            let outcome = try await site.comeIn(person)
            let offer = try #require(outcome.offer)
            #expect(try await site.rows() == [1, 1, 0, 0, 1])
            let offered = try #require(try await site.providers.offers.offer(offer))
            #expect(offered.provider.name == .oidc)
            #expect(offered.email == "nora@example.org")
            // A second attempt changes nothing.
            #expect(try await site.comeIn(person).signedIn == nil)
            #expect(try await site.fixture.isValid(owner))
        }
    }

    @Test("The owner links the identity by signing in with the password first", arguments: Engine.allCases)
    func ownerLinks(engine: Engine) async throws {
        try await withProvider(engine) { site async throws in
            let owner = try await site.fixture.join("nora@example.org", name: "Owner")
            let offer = try #require(try await site.comeIn().offer)
            let signedIn = try await site.fixture.signIn("nora@example.org")
            #expect(try await site.providers.offers.accept(offer, by: signedIn.account.id) == .oidc)
            #expect(try await site.providers.offers.accept(offer, by: signedIn.account.id) == nil)
            let next = try await site.comeIn()
            #expect(next.signedIn?.account.id == owner.account.id)
            #expect(try await site.fixture.events().contains("account /account/identities"))
        }
    }

    @Test("No other account can accept the offer, and it expires", arguments: Engine.allCases)
    func onlyTheOwner(engine: Engine) async throws {
        try await withProvider(engine) { site async throws in
            let owner = try await site.fixture.join("nora@example.org", name: "Owner")
            let other = try await site.fixture.join("other@example.org", name: "Other")
            let offer = try #require(try await site.comeIn().offer)
            #expect(try await site.providers.offers.accept(offer, by: other.account.id) == nil)
            #expect(try await site.providers.offers.accept("guessed", by: owner.account.id) == nil)
            site.fixture.clock.advance(seconds: Limits.providerAttemptSeconds)
            #expect(try await site.providers.offers.accept(offer, by: owner.account.id) == nil)
            #expect(try await site.providers.offers.offer(offer) == nil)
        }
    }

    @Test("An owner without a password signs in through the earlier provider")
    func ownerWithProvider() async throws {
        try await withFixture(.sqlite) { fixture in
            let provider = FakeProvider(clock: fixture.clock)
            let names: [ProviderName] = [.google, .facebook]
            let settings = try names.map {
                try ProviderSettings($0, issuer: provider.issuer, clientID: provider.clientID, credential: .none)
            }
            let providers = AccountsFixture(fixture, providers: settings, transport: provider).service.providers
            func comeIn(_ name: ProviderName, offer: String? = nil) async throws -> ProviderOutcome {
                let departure = try await providers.attempts.begin(
                    .signIn(offer: offer), at: name, browser: nil, destination: "", clientAddress: "192.0.2.1")
                return try await providers.callbacks.finish(
                    name, provider.agree(at: departure.url), browser: departure.browser, device: .phone,
                    defaultName: "")
            }
            let owner = try #require(try await comeIn(.google).signedIn?.account.id)
            let offer = try #require(try await comeIn(.facebook).offer)
            let outcome = try await comeIn(.google, offer: offer)
            guard case .signedIn(let signedIn, let linked) = outcome.result else {
                Issue.record("not signed in")
                return
            }
            #expect(signedIn.account.id == owner)
            #expect(linked == .facebook)
            #expect(try await comeIn(.facebook).signedIn?.account.id == owner)
        }
    }

    @Test("A new password by a link removes the identities that were linked before")
    func reset() async throws {
        try await withFixture(.sqlite, hasMail: true) { fixture in
            let site = try ProviderFixture(fixture)
            // An attacker claims another person's email at a provider that doesn't verify it.
            let thief = try #require(
                try await site.comeIn(ProviderPerson(email: "mia@example.org", isEmailVerified: false)).signedIn)
            // No reset link is mailed, because the address was never confirmed. A link from the administrator works.
            let link = try await fixture.service.administrators.resetLink(email: "mia@example.org")
            let code = try #require(link.split(separator: "/").last.map(String.init))
            try await fixture.service.passwordResets.reset(code: code, password: "mia's own password")
            #expect(try await !fixture.isValid(thief))
            let again = try await site.comeIn(ProviderPerson(email: "mia@example.org", isEmailVerified: false))
            #expect(again.signedIn == nil)
            #expect(again.offer != nil)
        }
    }
}

@Suite("Linked identities")
struct OpenIDLinkingTests {
    @Test("An identity is linked in the settings, and removed again", arguments: Engine.allCases)
    func link(engine: Engine) async throws {
        try await withProvider(engine) { site async throws in
            let owner = try await site.fixture.join()
            #expect(try await site.comeIn(for: .link(owner.actor, password: "correct horse")).isLinked)
            #expect(try await site.comeIn(for: .link(owner.actor, password: "correct horse")).isLinked)
            let methods = try await site.fixture.service.signInMethods.methods(of: owner.actor)
            #expect(methods.hasPassword)
            #expect(methods.identities.map(\.provider) == [.oidc])
            #expect(try await site.comeIn().signedIn?.account.id == owner.account.id)
            try await site.providers.identities.unlink(.oidc, by: owner.change)
            try await expectRefusal(.notFound) { try await site.providers.identities.unlink(.oidc, by: owner.change) }
            #expect(try await site.comeIn().signedIn?.account.id != owner.account.id)
        }
    }

    @Test(
        "An identity belongs to one account, and an account has one identity per provider",
        arguments: Engine.allCases)
    func taken(engine: Engine) async throws {
        try await withProvider(engine) { site async throws in
            let nora = try #require(try await site.comeIn().signedIn)
            let mia = try await site.fixture.join()
            #expect(try await site.comeIn(for: .link(mia.actor, password: "correct horse")).refusal == .taken)
            let second = ProviderPerson(subject: "subject-2", email: nil)
            #expect(try await site.comeIn(for: .confirm(nora.actor, for: .linkIdentity)).isConfirmed)
            #expect(try await site.comeIn(second, for: .link(nora.actor, password: nil)).refusal == .taken)
            #expect(try await site.fixture.service.signInMethods.methods(of: mia.actor).identities.isEmpty)
        }
    }

    @Test("A person who signs out during the attempt links nothing", arguments: Engine.allCases)
    func signedOut(engine: Engine) async throws {
        try await withProvider(engine) { site async throws in
            let owner = try await site.fixture.join()
            let departure = try await site.leave(.oidc, .link(owner.actor, password: "correct horse"))
            try await site.fixture.service.sessions.signOut(owner.actor)
            let outcome = try await site.finish(site.provider.agree(at: departure.url), departure)
            #expect(outcome.refusal == .expired)
            #expect(try await site.rows() == [1, 0, 0, 0, 0])
        }
    }

    @Test("A child can't link an identity")
    func child() async throws {
        try await withProvider(.sqlite) { site async throws in
            let owner = try await site.fixture.join()
            let child = Actor(person: owner.account.id, session: owner.session.id, role: .child)
            try await expectRefusal(.forbidden) {
                _ = try await site.leave(.oidc, .link(child, password: "correct horse"))
            }
            try await expectRefusal(.forbidden) {
                try await site.providers.identities.unlink(.oidc, by: Change(actor: child))
            }
        }
    }

    @Test("The last way to sign in can't be removed", arguments: Engine.allCases)
    func lastWay(engine: Engine) async throws {
        try await withProvider(engine) { site async throws in
            let nora = try #require(try await site.comeIn().signedIn)
            try await expectRefusal(.conflict) { try await site.providers.identities.unlink(.oidc, by: nora.change) }
            #expect(try await site.fixture.service.signInMethods.methods(of: nora.actor).identities.count == 1)
            #expect(try await site.comeIn(for: .confirm(nora.actor, for: .setPassword)).isConfirmed)
            try await site.fixture.service.passwords.change(current: nil, new: "a new password", by: nora.actor)
            try await site.providers.identities.unlink(.oidc, by: nora.change)
            let again = try await site.fixture.signIn("nora@example.org", "a new password")
            #expect(again.account.id == nora.account.id)
        }
    }

    @Test("An account without a password is deleted only after a fresh sign-in", arguments: Engine.allCases)
    func deletion(engine: Engine) async throws {
        try await withProvider(engine) { site async throws in
            let nora = try #require(try await site.comeIn().signedIn)
            let elsewhere = try #require(try await site.comeIn(from: .at("192.0.2.9")).signedIn)
            try await expectRefusal(.invalid) {
                try await site.fixture.service.deletions.delete(nora.actor, password: nil)
            }
            try await expectRefusal(.invalid) {
                try await site.fixture.service.deletions.delete(nora.actor, password: "guess")
            }
            let stranger = ProviderPerson(subject: "subject-2", email: nil)
            #expect(
                try await site.comeIn(stranger, for: .confirm(nora.actor, for: .deleteAccount)).refusal == .stranger)
            #expect(try await site.comeIn(for: .confirm(nora.actor, for: .deleteAccount)).isConfirmed)
            // The proof is valid in the session that requested it, for ten minutes.
            try await expectRefusal(.invalid) {
                try await site.fixture.service.deletions.delete(elsewhere.actor, password: nil)
            }
            site.fixture.clock.advance(seconds: Limits.proofSeconds)
            try await expectRefusal(.invalid) {
                try await site.fixture.service.deletions.delete(nora.actor, password: nil)
            }
            #expect(try await site.comeIn(for: .confirm(nora.actor, for: .deleteAccount)).isConfirmed)
            try await site.fixture.service.deletions.delete(nora.actor, password: nil)
            #expect(try await site.rows() == [0, 0, 0, 0, 0])
        }
    }

    @Test("A provider's proof replaces the password, but not the current one when it is changed")
    func confirmationWithPassword() async throws {
        try await withProvider(.sqlite) { site async throws in
            let owner = try await site.fixture.join()
            #expect(try await site.comeIn(for: .link(owner.actor, password: "correct horse")).isLinked)
            #expect(try await site.comeIn(for: .confirm(owner.actor, for: .setPassword)).isConfirmed)
            try await expectRefusal(.invalid) {
                try await site.fixture.service.passwords.change(current: nil, new: "a new password", by: owner.actor)
            }
            try await expectRefusal(.invalid) {
                try await site.fixture.service.deletions.delete(owner.actor, password: nil)
            }
            #expect(try await site.comeIn(for: .confirm(owner.actor, for: .deleteAccount)).isConfirmed)
            try await site.fixture.service.deletions.delete(owner.actor, password: nil)
        }
    }

    @Test("A first password requires an email to sign in with")
    func passwordNeedsEmail() async throws {
        try await withProvider(.sqlite) { site async throws in
            let person = ProviderPerson(email: nil, isEmailVerified: nil)
            let signedIn = try #require(try await site.comeIn(person).signedIn)
            #expect(try await site.comeIn(person, for: .confirm(signedIn.actor, for: .setPassword)).isConfirmed)
            try await expectRefusal(.invalid) {
                try await site.fixture.service.passwords.change(current: nil, new: "a new password", by: signedIn.actor)
            }
        }
    }

    @Test("The export contains the linked identities")
    func export() async throws {
        try await withProvider(.sqlite) { site async throws in
            let nora = try #require(try await site.comeIn().signedIn)
            #expect(try await site.comeIn(for: .confirm(nora.actor, for: .export)).isConfirmed)
            var bytes: [UInt8] = []
            for try await piece in try await site.fixture.service.exports.export(nora.actor) { bytes += piece }
            #expect(String(decoding: bytes, as: UTF8.self).contains("identities.json"))
        }
    }
}
