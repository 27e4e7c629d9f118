import Accounts
import Kernel
import TestSupport
import Testing

@Suite("Taken emails")
struct TakenEmailTests {
    private func register(_ fixture: AccountsFixture, _ email: String, from address: String) async throws {
        _ = try await fixture.service.registrations.register(
            Registration(email: email, password: "correct horse", name: "Mia"), device: .at(address)
        )
    }

    @Test("An email is reported as taken 10 times in 15 minutes, over all client addresses", arguments: Engine.allCases)
    func perEmail(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            try await fixture.join()
            for number in 0..<10 {
                let email = number.isMultiple(of: 2) ? "mia@example.org" : "MIA@example.org"
                try await expectRefusal(.conflict) {
                    try await register(fixture, email, from: "192.0.2.\(number)")
                }
            }
            let error = try await refusal { try await register(fixture, "mia@example.org", from: "198.51.100.1") }
            #expect(error?.code == .throttled)
            #expect(error?.retryAfterSeconds == Int(Limits.throttleSeconds))
            // The failures don't affect the owner's sign-in.
            _ = try await fixture.signIn()
            fixture.clock.advance(seconds: Limits.throttleSeconds)
            try await expectRefusal(.conflict) { try await register(fixture, "mia@example.org", from: "198.51.100.1") }
        }
    }

    @Test("One client address gets the response 100 times, then none for any email; other addresses aren't affected")
    func perAddress() async throws {
        try await withFixture(.sqlite) { fixture in
            for number in 0..<20 { try await register(fixture, "u\(number)@example.org", from: "203.0.113.\(number)") }
            for number in 0..<100 {
                try await expectRefusal(.conflict) {
                    try await register(fixture, "u\(number % 20)@example.org", from: "192.0.2.1")
                }
            }
            let hashes = fixture.hasher.hashes
            try await expectRefusal(.throttled) { try await register(fixture, "u3@example.org", from: "192.0.2.1") }
            try await expectRefusal(.throttled) { try await register(fixture, "free@example.org", from: "192.0.2.1") }
            #expect(fixture.hasher.hashes == hashes)
            try await register(fixture, "free@example.org", from: "192.0.2.2")
        }
    }

    @Test("Successful registrations are not counted")
    func success() async throws {
        try await withFixture(.sqlite) { fixture in
            for number in 0..<(Limits.signInFailuresPerAddress + 5) {
                try await register(fixture, "u\(number)@example.org", from: "192.0.2.1")
            }
        }
    }

    @Test("Of 30 concurrent requests for one email, 10 get the response that it is taken", arguments: Engine.allCases)
    func parallel(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            try await fixture.join()
            let codes = await withTaskGroup(of: AppError.Code?.self) { group in
                for number in 0..<30 {
                    group.addTask {
                        do {
                            try await register(fixture, "mia@example.org", from: "192.0.2.\(number % 3)")
                            return nil
                        } catch {
                            return (error as? AppError)?.code ?? .internal
                        }
                    }
                }
                return await group.reduce(into: [AppError.Code?]()) { $0.append($1) }
            }
            #expect(count(.conflict, in: codes) == 10)
            #expect(count(.throttled, in: codes) == 20)
        }
    }

    @Test("Changes of the email have the same limit per person", arguments: Engine.allCases)
    func change(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let mia = try await fixture.join()
            for number in 0..<10 {
                try await fixture.join("u\(number)@example.org")
                try await expectRefusal(.conflict) {
                    _ = try await fixture.service.profiles.update(
                        ProfileChanges(email: .set("u\(number)@example.org")), password: "correct horse", by: mia.change
                    )
                }
            }
            for email in ["u1@example.org", "free@example.org"] {
                try await expectRefusal(.throttled) {
                    _ = try await fixture.service.profiles.update(
                        ProfileChanges(email: .set(email)), password: "correct horse", by: mia.change)
                }
            }
            _ = try await fixture.service.profiles.update(ProfileChanges(name: .set("Mia M.")), by: mia.change)
        }
    }

    @Test("An email that was reported as taken too often is throttled in every use case", arguments: Engine.allCases)
    func everyPath(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            try await fixture.join()
            let ben = try await fixture.join("ben@example.org")
            for number in 0..<Limits.signInFailuresPerEmail {
                try await expectRefusal(.conflict) {
                    try await register(fixture, "mia@example.org", from: "192.0.2.\(number)")
                }
            }
            try await expectRefusal(.throttled) {
                _ = try await fixture.service.profiles.update(
                    ProfileChanges(email: .set("mia@example.org")), password: "correct horse", by: ben.change)
            }
            let site = try ProviderFixture(fixture)
            var claim = ProviderPerson(email: "mia@example.org", name: "Mallory")
            claim.isEmailVerified = false
            try await expectRefusal(.throttled) { _ = try await site.comeIn(claim, from: .at("198.51.100.9")) }
            // The owner's form sends the email along with every change.
            let mia = try await fixture.signIn()
            _ = try await fixture.service.profiles.update(
                ProfileChanges(email: .set("mia@example.org"), name: .set("Mia M.")), by: mia.change)
        }
    }

    @Test("Changes of the email are counted by the client's network", arguments: Engine.allCases)
    func networkOfChanges(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            for number in 0..<20 { try await fixture.join("u\(number)@example.org") }
            var askers: [SignedIn] = []
            for number in 0..<10 { askers.append(try await fixture.join("asker\(number)@example.org")) }
            func change(_ asker: SignedIn, to email: String) async throws {
                let actor = Actor(
                    person: asker.account.id, session: asker.session.id, role: .adult, clientAddress: "203.0.113.5")
                _ = try await fixture.service.profiles.update(
                    ProfileChanges(email: .set(email)), password: "correct horse", by: Change(actor: actor))
            }
            for number in 0..<Limits.signInFailuresPerAddress {
                try await expectRefusal(.conflict) {
                    try await change(askers[number / 10], to: "u\(number % 20)@example.org")
                }
            }
            let late = try await fixture.join("late@example.org")
            for email in ["u1@example.org", "free@example.org"] {
                try await expectRefusal(.throttled) { try await change(late, to: email) }
                try await expectRefusal(.throttled) { try await register(fixture, email, from: "203.0.113.5") }
            }
        }
    }
}
