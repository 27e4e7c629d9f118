import Accounts
import Kernel
import Storage
import TestSupport
import Testing

@Suite("Passwords")
struct PasswordTests {
    @Test("A change signs out the other devices, and ends copies of the cookie", arguments: Engine.allCases)
    func change(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let mia = try await fixture.join()
            let script = try await fixture.signIn(from: .script)
            #expect(try await fixture.isValid(script))
            let token = try #require(
                try await fixture.service.passwords.change(
                    current: "correct horse", new: "battery staple", by: mia.actor))
            #expect(try await !fixture.isValid(mia))
            #expect(try await fixture.service.authenticator.authenticate(token: token, kind: .cookie) != nil)
            let program = try await fixture.signIn("mia@example.org", "battery staple", from: .script)
            let kept = try await fixture.service.passwords.change(
                current: "battery staple", new: "correct battery", by: program.actor)
            #expect(kept == nil)
            #expect(try await fixture.isValid(program))
            #expect(try await !fixture.isValid(script))
            try await expectRefusal(.unauthenticated) { _ = try await fixture.signIn() }
            _ = try await fixture.signIn("mia@example.org", "correct battery")
            #expect(try await fixture.events().contains("session /account/sessions/\(script.session.id)"))
        }
    }

    @Test(
        "A wrong current password is reported at its field and counted by person, apart from sign-in failures",
        arguments: Engine.allCases)
    func wrongCurrent(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let mia = try await fixture.join()
            for _ in 0..<10 {
                let error = try await refusal {
                    try await fixture.service.passwords.change(current: "wrong", new: "battery staple", by: mia.actor)
                }
                #expect(error?.code == .invalid)
                #expect(error?.fields.keys.sorted() == ["current"])
            }
            let error = try await refusal {
                try await fixture.service.passwords.change(
                    current: "correct horse", new: "battery staple", by: mia.actor)
            }
            #expect(error?.code == .throttled)
            _ = try await fixture.signIn()
            try await expectRefusal(.throttled) {
                try await fixture.service.passwords.change(
                    current: "correct horse", new: "battery staple", by: mia.actor)
            }
        }
    }

    @Test("A stranger's wrong sign-ins don't prevent the person's proof", arguments: Engine.allCases)
    func strangersFailures(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let mia = try await fixture.join()
            for _ in 0..<Limits.signInFailuresPerEmail {
                try await expectRefusal(.unauthenticated) { _ = try await fixture.signIn("mia@example.org", "guess") }
            }
            try await expectRefusal(.throttled) { _ = try await fixture.signIn() }
            try await fixture.service.passwords.change(current: "correct horse", new: "battery staple", by: mia.actor)
        }
    }

    @Test("A mail announces a new password, including one that was set by a link", arguments: Engine.allCases)
    func announced(engine: Engine) async throws {
        try await withFixture(engine, hasMail: true) { fixture in
            let mia = try await fixture.joinConfirmed()
            func announced() async -> Int {
                await fixture.service.mailSender.sendQueuedMails()
                return fixture.mails.all.count {
                    $0.to == "mia@example.org" && $0.subject == "Your password was changed"
                }
            }
            try await fixture.service.passwords.change(current: "correct horse", new: "battery staple", by: mia.actor)
            #expect(await announced() == 1)
            try await fixture.service.passwordResets.request(email: "mia@example.org")
            await fixture.service.mailSender.sendQueuedMails()
            let code = try #require(fixture.mails.code(to: "mia@example.org"))
            try await fixture.service.passwordResets.reset(code: code, password: "third password")
            #expect(await announced() == 2)
            func last(to address: String) -> String? {
                fixture.mails.all.last { $0.to == address && $0.subject == "Your password was changed" }?.body
            }
            #expect(last(to: "mia@example.org")?.contains("Forgot your password?") == true)
            // No link is sent to an address that isn't confirmed.
            let ben = try await fixture.join("ben@example.org")
            try await fixture.service.passwords.change(current: "correct horse", new: "battery staple", by: ben.actor)
            await fixture.service.mailSender.sendQueuedMails()
            #expect(last(to: "ben@example.org")?.contains("contact the administrator") == true)
        }
    }

    @Test("A link sets a new password once and signs out every device", arguments: Engine.allCases)
    func reset(engine: Engine) async throws {
        try await withFixture(engine, hasMail: true) { fixture in
            let mia = try await fixture.joinConfirmed()
            for _ in 0..<10 { _ = try await refusal { _ = try await fixture.signIn("mia@example.org", "wrong") } }
            try await fixture.service.passwordResets.request(email: "MIA@example.org")
            await fixture.service.mailSender.sendQueuedMails()
            let code = try #require(fixture.mails.code(to: "mia@example.org"))
            #expect(try await fixture.service.passwordResets.details(ofCode: code) != nil)
            let short = try await refusal {
                try await fixture.service.passwordResets.reset(code: code, password: "short")
            }
            #expect(short?.fields["password"] != nil)
            try await fixture.service.passwordResets.reset(code: code, password: "battery staple")
            #expect(try await !fixture.isValid(mia))
            // The link proves more than a password does, so it resets earlier failures.
            _ = try await fixture.signIn("mia@example.org", "battery staple")
            let again = try await refusal {
                try await fixture.service.passwordResets.reset(code: code, password: "third password")
            }
            #expect(again?.code == .notFound)
        }
    }

    @Test("Two concurrent uses of one link succeed once", arguments: Engine.allCases)
    func resetRace(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            try await fixture.join()
            let link = try await fixture.service.administrators.resetLink(email: "mia@example.org")
            let code = try #require(link.split(separator: "/").last.map(String.init))
            let wins = await withTaskGroup(of: Bool.self) { group in
                for number in 0..<6 {
                    group.addTask {
                        do {
                            try await fixture.service.passwordResets.reset(code: code, password: "password \(number)")
                            return true
                        } catch {
                            return false
                        }
                    }
                }
                return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            #expect(wins == 1)
        }
    }

    @Test("A link is valid for an hour, and void once there is a newer one", arguments: Engine.allCases)
    func resetExpiry(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            try await fixture.join()
            let links = [
                try await fixture.service.administrators.resetLink(email: "mia@example.org"),
                try await fixture.service.administrators.resetLink(email: "MIA@example.org"),
            ]
            let codes = links.map { $0.split(separator: "/").last.map(String.init) ?? "" }
            #expect(links[1] == "https://home.example/password-resets/\(codes[1])")
            #expect(try await fixture.service.passwordResets.details(ofCode: codes[0]) == nil)
            fixture.clock.advance(seconds: Limits.passwordResetSeconds - 1)
            #expect(try await fixture.service.passwordResets.details(ofCode: codes[1]) != nil)
            fixture.clock.advance(seconds: 1)
            #expect(try await fixture.service.passwordResets.details(ofCode: codes[1]) == nil)
            let error = try await refusal {
                try await fixture.service.passwordResets.reset(code: codes[1], password: "battery staple")
            }
            #expect(error?.code == .notFound)
            for code in ["", "x", String(repeating: "y", count: 10_000)] {
                let error = try await refusal {
                    try await fixture.service.passwordResets.reset(code: code, password: "battery staple")
                }
                #expect(error?.code == .notFound)
            }
        }
    }

    @Test(
        "The response doesn't reveal whether an email is known, and an address gets only a few mails",
        arguments: Engine.allCases)
    func resetRequests(engine: Engine) async throws {
        try await withFixture(engine, hasMail: true) { fixture in
            try await fixture.joinConfirmed()
            try await fixture.service.passwordResets.request(email: "unknown@example.org")
            for _ in 0..<6 {
                try await fixture.service.passwordResets.request(email: "mia@example.org", language: "de")
            }
            await fixture.service.mailSender.sendQueuedMails()
            // The confirmation mail has a counter of its own.
            let expected = Array(repeating: "mia@example.org", count: 1 + Limits.mailsPerRecipient)
            #expect(fixture.mails.all.map(\.to) == expected)
            #expect(fixture.mails.all.last?.subject == "Neues Passwort wählen")
            let error = try await refusal { try await fixture.service.passwordResets.request(email: "unknown") }
            #expect(error?.fields["email"] != nil)
        }
    }

    @Test("Without mail, the request gets the same response")
    func withoutMail() async throws {
        try await withFixture(.sqlite) { fixture in
            try await fixture.join()
            try await fixture.service.passwordResets.request(email: "mia@example.org")
            #expect(!fixture.service.sendsMail)
        }
    }

    @Test("An old password is refused when it was changed during its check")
    func changeMeanwhile() async throws {
        try await withDatabase(.sqlite, migrations: accountTables) { database in
            let fixture = AccountsFixture(database)
            let mia = try await fixture.join()
            let slow = InterruptingHasher(inner: fixture.hasher) {
                let link = try await fixture.service.administrators.resetLink(email: "mia@example.org")
                let code = link.split(separator: "/").last.map(String.init) ?? ""
                try await fixture.service.passwordResets.reset(code: code, password: "battery staple")
            }
            let service = AccountServices(
                database: database, siteURL: "https://home.example", clock: fixture.clock,
                random: SeededRandom(seed: 3), logger: .silent, hasher: slow
            )
            let error = try await refusal {
                _ = try await service.signIns.signIn(
                    email: "mia@example.org", password: "correct horse", device: .phone)
            }
            #expect(error?.code == .unauthenticated)
            #expect(try await !fixture.isValid(mia))
        }
    }
}

/// Runs an action between the check of a password and the code that follows it.
private struct InterruptingHasher: PasswordHasher {
    let inner: CountingHasher
    let interruption: @Sendable () async throws -> Void

    func hash(_ password: [UInt8]) async throws -> String { try await inner.hash(password) }

    func verify(_ password: [UInt8], against stored: String?) async throws -> Bool {
        let isRight = try await inner.verify(password, against: stored)
        try await interruption()
        return isRight
    }

    func isOutdated(_ stored: String) -> Bool { inner.isOutdated(stored) }
}
