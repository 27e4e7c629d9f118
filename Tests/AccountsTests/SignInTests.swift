import Accounts
import Kernel
import Storage
import TestSupport
import Testing

@Suite("Sign-in")
struct SignInTests {
    @Test("Sign-in accepts the email in any case, and creates a new session each time", arguments: Engine.allCases)
    func signIn(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let first = try await fixture.join("Mia@Example.org")
            let second = try await fixture.signIn("mia@EXAMPLE.org")
            let third = try await fixture.signIn(" MIA@example.org ", "correct horse", from: .script)
            #expect(second.account.id == first.account.id)
            #expect(Set([first.token, second.token, third.token]).count == 3)
            #expect(Set([first.session.id, second.session.id, third.session.id]).count == 3)
            for signedIn in [first, second, third] { #expect(try await fixture.isValid(signedIn)) }
        }
    }

    @Test("A session's token is accepted only in its own form: a cookie's token isn't a bearer token")
    func kinds() async throws {
        try await withFixture(.sqlite) { fixture in
            let browser = try await fixture.join()
            let script = try await fixture.signIn(from: .script)
            #expect(try await fixture.service.authenticator.authenticate(token: browser.token, kind: .bearer) == nil)
            #expect(try await fixture.service.authenticator.authenticate(token: script.token, kind: .cookie) == nil)
            for token in ["", "x", browser.token + "x", String(repeating: "a", count: 5_000)] {
                #expect(try await fixture.service.authenticator.authenticate(token: token, kind: .cookie) == nil)
            }
        }
    }

    @Test("A token chosen by an attacker never becomes a session")
    func fixation() async throws {
        try await withFixture(.sqlite) { fixture in
            let planted = String(repeating: "A", count: 43)
            #expect(try await fixture.service.authenticator.authenticate(token: planted, kind: .cookie) == nil)
            let mia = try await fixture.join()
            #expect(mia.token != planted)
            #expect(try await fixture.service.authenticator.authenticate(token: planted, kind: .cookie) == nil)
        }
    }

    @Test(
        "An unknown email and a wrong password cost the same work and get the same response",
        arguments: Engine.allCases)
    func sameAnswer(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            try await fixture.join()
            let before = fixture.hasher.checks
            let wrong = try await refusal { _ = try await fixture.signIn("mia@example.org", "wrong") }
            let afterWrong = fixture.hasher.checks
            let unknown = try await refusal { _ = try await fixture.signIn("unknown@example.org", "wrong") }
            #expect(afterWrong - before == 1)
            #expect(fixture.hasher.checks - afterWrong == 1)
            #expect(wrong == unknown)
            #expect(wrong?.code == .unauthenticated)
            #expect(wrong?.fields.isEmpty == true)
        }
    }

    @Test(
        "A missing or malformed field is reported at the field, without any hashing",
        arguments: [
            (nil, nil, ["email", "password"]), ("", "", ["email", "password"]), ("mia", "x", ["email"]),
            ("mia@example.org", "", ["password"]),
            ("mia@example.org", String(repeating: "x", count: 201), ["password"]),
        ] as [(String?, String?, [String])])
    func malformed(email: String?, password: String?, fields: [String]) async throws {
        try await withFixture(.sqlite) { fixture in
            let error = try await refusal {
                _ = try await fixture.service.signIns.signIn(email: email, password: password, device: .phone)
            }
            #expect(error?.code == .invalid)
            #expect(error?.fields.keys.sorted() == fields)
            #expect(fixture.hasher.checks == 0)
        }
    }

    @Test("A hash with outdated parameters is replaced at the next sign-in")
    func renewal() async throws {
        try await withFixture(.sqlite) { fixture in
            try await fixture.join()
            let stronger = CountingHasher(random: SeededRandom(seed: 5), costExponent: 2)
            let service = AccountServices(
                database: fixture.database, siteURL: "https://home.example", clock: fixture.clock,
                random: SeededRandom(seed: 7), logger: .silent, hasher: stronger
            )
            for _ in 0..<2 {
                _ = try await service.signIns.signIn(
                    email: "mia@example.org", password: "correct horse", device: .phone)
            }
            #expect(stronger.hashes == 1)
            let stored: String? = try await fixture.database.read {
                try $0.row("SELECT password FROM account")?.get("password")
            }
            #expect(stored?.hasPrefix("$scrypt$ln=2,") == true)
        }
    }

    @Test("The production parameters are N = 2^15, r = 8, p = 1")
    func realParameters() async throws {
        let hasher = ScryptHasher(random: SystemRandom())
        let stored = try await hasher.hash(Array("correct horse".utf8))
        #expect(stored.hasPrefix("$scrypt$ln=15,r=8,p=1$"))
        #expect(try await hasher.verify(Array("correct horse".utf8), against: stored))
        #expect(try await !hasher.verify(Array("correct horsf".utf8), against: stored))
        #expect(try await !hasher.verify(Array("correct horse".utf8), against: nil))
        #expect(try await !hasher.verify(Array("correct horse".utf8), against: "nonsense"))
        let again = try await hasher.hash(Array("correct horse".utf8))
        #expect(again != stored)
    }

    @Test("Concurrent sign-ins with the right password all succeed")
    func manyAtOnce() async throws {
        try await withFixture(.sqlite) { fixture in
            try await fixture.join()
            for _ in 0..<9 { _ = try await refusal { _ = try await fixture.signIn("mia@example.org", "wrong") } }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<40 { group.addTask { _ = try await fixture.signIn() } }
                try await group.waitForAll()
            }
        }
    }
}
