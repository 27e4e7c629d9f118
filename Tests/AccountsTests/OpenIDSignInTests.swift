import Accounts
import Kernel
import Storage
import TestSupport
import Testing

@Suite("Sign-in through a provider")
struct OpenIDSignInTests {
    @Test("The first sign-in creates an account, and later ones find it", arguments: Engine.allCases)
    func firstTime(engine: Engine) async throws {
        try await withProvider(engine) { site async throws in
            let first = try await site.comeIn()
            let account = try #require(first.signedIn?.account)
            #expect(account.name == "Nora Neu")
            #expect(account.email == "nora@example.org")
            #expect(account.role == .adult)
            #expect(first.destination == "/family")
            let stored = try await site.fixture.service.reader.account(try #require(first.signedIn).actor)
            #expect(stored.emailVerifiedAt == site.fixture.clock.now)
            #expect(stored.isFromProvider)
            let again = try await site.comeIn(ProviderPerson(email: "another@example.org", name: "Another"))
            #expect(again.signedIn?.account.id == account.id)
            #expect(try await site.rows() == [1, 2, 1, 0, 0])
            #expect(try await site.fixture.isValid(try #require(again.signedIn)))
        }
    }

    @Test("A token signed with ES256 is accepted", arguments: Engine.allCases)
    func curve(engine: Engine) async throws {
        try await withProvider(engine) { site async throws in
            site.provider.change { $0.usesCurve = true }
            #expect(try await site.comeIn().signedIn != nil)
        }
    }

    @Test("An invalid token creates no rows", arguments: Engine.allCases, TokenDefect.allCases)
    func twisted(engine: Engine, twist: TokenDefect) async throws {
        try await withProvider(engine) { site async throws in
            site.provider.change { $0.twist = twist }
            #expect(try await site.comeIn().refusal == .failed)
            #expect(try await site.rows() == [0, 0, 0, 0, 0])
        }
    }

    @Test(
        "F-04-B: A response with another state, from another browser or a second time is refused",
        arguments: Engine.allCases)
    func state(engine: Engine) async throws {
        try await withProvider(engine) { site async throws in
            let departure = try await site.leave()
            let other = try await site.leave()
            let answer = site.provider.agree(at: departure.url)
            let strange = AuthorizationResponse(state: "another", code: answer.code)
            #expect(try await site.finish(strange, departure).refusal == .expired)
            #expect(
                try await site.finish(AuthorizationResponse(state: nil, code: answer.code), departure).refusal
                    == .expired)
            #expect(try await site.finish(answer, other).refusal == .expired)
            let without = try await site.providers.callbacks.finish(
                .oidc, answer, browser: nil, device: .phone, defaultName: "New here")
            #expect(without.refusal == .expired)
            #expect(try await site.rows() == [0, 0, 0, 2, 0])
            #expect(try await site.finish(answer, departure).signedIn != nil)
            #expect(try await site.finish(answer, departure).refusal == .expired)
            #expect(try await site.rows() == [1, 1, 1, 1, 0])
        }
    }

    @Test("A code works once, even with another attempt", arguments: Engine.allCases)
    func replayedCode(engine: Engine) async throws {
        try await withProvider(engine) { site async throws in
            let departure = try await site.leave()
            let answer = site.provider.agree(at: departure.url)
            #expect(try await site.finish(answer, departure).signedIn != nil)
            let next = try await site.leave()
            let state = FakeProvider.query(next.url)["state"]
            let outcome = try await site.finish(AuthorizationResponse(state: state, code: answer.code), next)
            #expect(outcome.refusal == .failed)
            #expect(try await site.rows() == [1, 1, 1, 0, 0])
        }
    }

    @Test("A stolen code is useless in another attempt, which has another PKCE verifier")
    func stolenCode() async throws {
        try await withProvider(.sqlite) { site async throws in
            let victim = try await site.leave()
            let answer = site.provider.agree(at: victim.url)
            let thief = try await site.leave()
            let state = FakeProvider.query(thief.url)["state"]
            let outcome = try await site.finish(AuthorizationResponse(state: state, code: answer.code), thief)
            #expect(outcome.refusal == .failed)
            #expect(site.provider.now.forms.last?["code_verifier"]?.utf8.count == 43)
        }
    }

    @Test("A cancelled sign-in leaves no rows", arguments: Engine.allCases)
    func cancelled(engine: Engine) async throws {
        try await withProvider(engine) { site async throws in
            var browser: String?
            for error in ["access_denied", "user_cancelled_authorize", "access_denied"] {
                let departure = try await site.leave(browser: browser)
                browser = departure.browser
                let outcome = try await site.finish(site.provider.cancel(at: departure.url, error: error), departure)
                #expect(outcome.isCancelled)
                #expect(outcome.destination == "/family")
            }
            #expect(try await site.rows() == [0, 0, 0, 0, 0])
            #expect(try await site.fixture.events().isEmpty)
            #expect(site.provider.fetches("/token") == 0)
        }
    }

    @Test("An error other than a cancellation is a failure")
    func failed() async throws {
        try await withProvider(.sqlite) { site async throws in
            for error in ["server_error", "invalid_scope", "login_required"] {
                let departure = try await site.leave()
                let outcome = try await site.finish(site.provider.cancel(at: departure.url, error: error), departure)
                #expect(outcome.refusal == .failed)
            }
            let departure = try await site.leave()
            let state = FakeProvider.query(departure.url)["state"]
            #expect(try await site.finish(AuthorizationResponse(state: state), departure).refusal == .failed)
        }
    }

    @Test("An attempt expires after ten minutes", arguments: Engine.allCases)
    func expired(engine: Engine) async throws {
        try await withProvider(engine) { site async throws in
            let slow = try await site.leave()
            let answer = site.provider.agree(at: slow.url)
            site.fixture.clock.advance(seconds: Limits.providerAttemptSeconds)
            #expect(try await site.finish(answer, slow).refusal == .expired)
            try await site.fixture.service.housekeeping.run()
            #expect(try await site.rows() == [0, 0, 0, 0, 0])
        }
    }

    @Test("Two tabs of one browser don't interfere")
    func twoTabs() async throws {
        try await withProvider(.sqlite) { site async throws in
            let first = try await site.leave()
            let second = try await site.leave(browser: first.browser)
            #expect(first.browser == second.browser)
            #expect(FakeProvider.query(first.url)["nonce"] != FakeProvider.query(second.url)["nonce"])
            #expect(try await site.finish(site.provider.agree(at: first.url), first).signedIn != nil)
            #expect(try await site.finish(site.provider.agree(at: second.url), second).signedIn != nil)
            let forged = try await site.leave(browser: "short")
            #expect(forged.browser != "short")
        }
    }

    @Test("The secrets of an attempt are stored only as hashes", arguments: Engine.allCases)
    func onlyHashes(engine: Engine) async throws {
        try await withProvider(engine) { site async throws in
            let departure = try await site.leave()
            let query = FakeProvider.query(departure.url)
            let row = try await site.fixture.database.read { tx -> String in
                let row = try tx.row("SELECT state_hash, browser_hash, network_hash, destination FROM provider_attempt")
                let columns = ["state_hash", "browser_hash", "network_hash"]
                let blobs = try columns.map { try row?.get($0, as: [UInt8].self) ?? [] }
                #expect(blobs.allSatisfy { $0.count == 32 })
                return blobs.map { String(decoding: $0, as: UTF8.self) }.joined()
            }
            for secret in [query["state"], query["nonce"], departure.browser] {
                #expect(!row.contains(try #require(secret)))
            }
            #expect(query["code_challenge_method"] == "S256")
            #expect(query["redirect_uri"] == "https://home.example/sign-in/oidc/callback")
            #expect(query["response_type"] == "code")
        }
    }

    @Test(
        "Concurrent first sign-ins with the same identity create one account", arguments: Engine.allCases)
    func atOnce(engine: Engine) async throws {
        try await withProvider(engine) { site async throws in
            let departures = [try await site.leave(), try await site.leave(), try await site.leave()]
            let people = try await withThrowingTaskGroup { group in
                for departure in departures {
                    group.addTask {
                        try await site.finish(site.provider.agree(at: departure.url), departure).signedIn?.account.id
                    }
                }
                return try await group.reduce(into: Set<PersonID?>()) { $0.insert($1) }
            }
            #expect(people.count == 1)
            #expect(try await site.rows() == [1, 3, 1, 0, 0])
        }
    }

    @Test("Too many unfinished attempts are refused")
    func throttled() async throws {
        try await withProvider(.sqlite) { site async throws in
            for _ in 0..<Limits.providerAttemptsPerAddress { _ = try await site.leave() }
            try await expectRefusal(.throttled) { _ = try await site.leave() }
            site.fixture.clock.advance(seconds: Limits.providerAttemptSeconds + 1)
            _ = try await site.leave()
        }
    }

    @Test("A provider that isn't set up gets 404")
    func unknown() async throws {
        try await withProvider(.sqlite) { site async throws in
            let catalog = site.providers.catalog
            #expect(catalog.summaries == [try catalog.summary(of: .oidc)])
            try await expectRefusal(.notFound) { _ = try await site.leave(.google) }
        }
    }
}

@Suite("The profile from a provider")
struct OpenIDProfileTests {
    @Test("An account without an email works", arguments: Engine.allCases)
    func withoutEmail(engine: Engine) async throws {
        try await withProvider(engine, name: .facebook) { site async throws in
            let person = ProviderPerson(email: nil, isEmailVerified: nil)
            let account = try #require(try await site.comeIn(person, at: .facebook).signedIn?.account)
            #expect(account.email == nil)
            let other = ProviderPerson(subject: "subject-2", email: nil, isEmailVerified: nil)
            #expect(try await site.comeIn(other, at: .facebook).signedIn?.account.id != account.id)
        }
    }

    @Test("F-03-N: Apple sends the name beside the token, only the first time, and may send a relay address")
    func apple() async throws {
        try await withProvider(.sqlite, name: .apple) { site async throws in
            let hidden = ProviderPerson(email: "x7@privaterelay.appleid.com", name: nil)
            let user = #"{"name":{"firstName":"Paul","lastName":"Privat"},"email":"boss@example.org"}"#
            let first = try await site.comeIn(hidden, at: .apple, user: user)
            #expect(first.signedIn?.account.name == "Paul Privat")
            #expect(first.signedIn?.account.email == "x7@privaterelay.appleid.com")
            #expect(first.destination == "/family")
            let second = try await site.comeIn(hidden, at: .apple)
            #expect(second.signedIn?.account.id == first.signedIn?.account.id)
            #expect(second.signedIn?.account.name == "Paul Privat")
            let departure = try await site.leave(.apple)
            let query = FakeProvider.query(departure.url)
            #expect(query["response_mode"] == "form_post")
            #expect(query["scope"] == "openid name email")
        }
    }

    struct Told: CustomTestStringConvertible, Sendable {
        let name: String?
        let becomes: String
        var testDescription: String { becomes }
    }

    @Test(
        "A name is shortened and cleaned to fit a display name",
        arguments: [
            Told(name: nil, becomes: "New here"), Told(name: " ", becomes: "New here"),
            Told(name: "Zoë 👩‍👩‍👧", becomes: "Zoë 👩‍👩‍👧"), Told(name: "a\u{0}b\nc", becomes: "abc"),
            Told(name: String(repeating: "n", count: 80), becomes: String(repeating: "n", count: 50)),
            Told(name: "<b>bold</b>", becomes: "<b>bold</b>"),
        ])
    func names(told: Told) async throws {
        try await withProvider(.sqlite) { site async throws in
            #expect(try await site.comeIn(ProviderPerson(name: told.name)).signedIn?.account.name == told.becomes)
        }
    }

    @Test("A malformed email is ignored")
    func malformedEmail() async throws {
        try await withProvider(.sqlite) { site async throws in
            let account = try await site.comeIn(ProviderPerson(email: "not an email")).signedIn?.account
            #expect(account?.email == nil)
        }
    }

    @Test("An email that the provider didn't verify is unconfirmed", arguments: [false, nil])
    func unverified(isVerified: Bool?) async throws {
        try await withProvider(.sqlite) { site async throws in
            let signedIn = try #require(
                try await site.comeIn(ProviderPerson(isEmailVerified: isVerified)).signedIn)
            let account = try await site.fixture.service.reader.account(signedIn.actor)
            #expect(account.email == "nora@example.org")
            #expect(account.emailVerifiedAt == nil)
        }
    }

    @Test("Missing claims are read from the userinfo endpoint, for the same subject only")
    func userinfo() async throws {
        try await withProvider(.sqlite) { site async throws in
            let silent = ProviderPerson(email: nil, isEmailVerified: nil, name: nil)
            site.provider.change { $0.userinfo = ["sub": "another-subject", "email": "boss@example.org"] }
            #expect(try await site.comeIn(silent).refusal == .failed)
            site.provider.change {
                $0.userinfo = ["sub": "subject-1", "email": "nora@example.org", "given_name": "Nora"]
            }
            let account = try await site.comeIn(silent).signedIn?.account
            #expect(account?.name == "Nora")
            #expect(account?.email == "nora@example.org")
        }
    }

    @Test("An account from a provider can enter Family without a date of birth, and others can't")
    func entrance() async throws {
        try await withProvider(.sqlite) { site async throws in
            let signedIn = try #require(try await site.comeIn().signedIn)
            let account = try await site.fixture.service.reader.account(signedIn.actor)
            #expect(AppName.family.missing(in: account).isEmpty)
            #expect(AppName.carrepsa.missing(in: account) == ["phone"])
            let typed = try await site.fixture.join().account
            #expect(AppName.family.missing(in: typed) == ["dateOfBirth"])
            let changed = try await site.fixture.service.profiles.update(
                ProfileChanges(name: .set("Nora")), by: signedIn.change)
            #expect(changed.isFromProvider)
            let same = try await site.fixture.service.profiles.update(
                ProfileChanges(name: .set("Nora")), by: signedIn.change)
            #expect(same.version == changed.version)
        }
    }
}
