import Accounts
import Kernel
import Storage
import TestSupport
import Testing

/// An app with one valid invitation.
private struct InvitingApp: TestDataHandler {
    static let code = "the-code-of-an-invitation"

    func export(_ person: PersonID, in tx: Transaction) throws -> [(path: String, contents: [UInt8])] { [] }
    func erase(_ person: PersonID, in tx: Transaction) throws {}
    func invites(_ code: String, now: Instant, in tx: Transaction) throws -> Bool { code == Self.code }
}

@Suite("Registration policy")
struct RegistrationPolicyTests {
    private func register(
        _ fixture: AccountsFixture, _ email: String, from address: String = "192.0.2.1", invitation: String? = nil
    ) async throws {
        let input = Registration(email: email, password: "correct horse", name: "Mia", invitation: invitation)
        _ = try await fixture.service.registrations.register(input, device: .at(address))
    }

    @Test("Closed registration creates no account, neither by a form nor by a provider", arguments: Engine.allCases)
    func closed(engine: Engine) async throws {
        try await withFixture(engine, registration: RegistrationPolicy(fixedMode: .closed)) { fixture in
            let error = try await refusal { try await register(fixture, "mia@example.org", invitation: "any") }
            #expect(error?.code == .forbidden)
            #expect(error?.message == AccountMessage.registrationClosed.text)
            #expect(fixture.hasher.hashes == 0)
            let site = try ProviderFixture(fixture)
            #expect(try await site.comeIn().refusal == .closed)
            #expect(try await site.rows() == [0, 0, 0, 0, 0])
        }
    }

    @Test(
        "Neither a new server nor a closed one creates an account for a person of any provider",
        arguments: ProviderName.allCases, [RegistrationPolicy.Mode?.none, .closed])
    func providers(name: ProviderName, mode: RegistrationPolicy.Mode?) async throws {
        try await withFixture(.sqlite, registration: RegistrationPolicy(fixedMode: mode)) { fixture in
            let site = try ProviderFixture(fixture, name: name)
            #expect(try await site.comeIn(at: name).refusal == .closed)
            #expect(try await site.rows() == [0, 0, 0, 0, 0])
        }
    }

    @Test("A disabled person can't sign in with a provider", arguments: Engine.allCases)
    func disabled(engine: Engine) async throws {
        try await withProvider(engine) { site async throws in
            let person = try #require(try await site.comeIn().signedIn)
            try await site.fixture.database.write { tx in
                try tx.execute("UPDATE account SET disabled_at = 1 WHERE id = \(person.account.id)")
            }
            #expect(try await site.comeIn().refusal == .disabled)
        }
    }

    @Test(
        "With closed registration, existing accounts can sign in and the administrator can create accounts",
        arguments: Engine.allCases)
    func closedToNewcomersOnly(engine: Engine) async throws {
        try await withFixture(engine, registration: RegistrationPolicy(fixedMode: .closed)) { fixture in
            _ = try await fixture.service.administrators.create(
                email: "mia@example.org", name: "Mia", password: "correct horse")
            let mia = try await fixture.signIn()
            let site = try ProviderFixture(fixture)
            let identity = ProviderPerson(email: "nora@example.org", name: "Nora")
            let departure = try await site.leave(.oidc, .link(mia.actor, password: "correct horse"))
            _ = try await site.finish(site.provider.agree(at: departure.url, identity), departure)
            #expect(try await site.comeIn(identity).signedIn?.account.id == mia.account.id)
        }
    }

    @Test("An invitation is valid for one account", arguments: Engine.allCases)
    func invitation(engine: Engine) async throws {
        let policy = RegistrationPolicy(fixedMode: .invitation)
        try await withFixture(engine, registration: policy, dataHandlers: [InvitingApp()]) { fixture in
            for wrong in [nil, "", "another"] {
                let error = try await refusal { try await register(fixture, "mia@example.org", invitation: wrong) }
                #expect(error?.code == .forbidden)
                let message: AccountMessage = wrong == "another" ? .invitationInvalid : .invitationNeeded
                #expect(error?.message == message.text)
            }
            #expect(fixture.hasher.hashes == 0)
            let site = try ProviderFixture(fixture)
            #expect(try await site.comeIn().refusal == .uninvited)
            let codes = await withTaskGroup(of: AppError.Code?.self) { group in
                for number in 0..<5 {
                    group.addTask {
                        do {
                            try await register(fixture, "u\(number)@example.org", invitation: InvitingApp.code)
                            return nil
                        } catch {
                            return (error as? AppError)?.code ?? .internal
                        }
                    }
                }
                return await group.reduce(into: [AppError.Code?]()) { $0.append($1) }
            }
            #expect(count(nil, in: codes) == 1)
            #expect(count(.forbidden, in: codes) == 4)
            #expect(try await fixture.service.administrators.accounts(after: nil).count == 1)
            let used = try await refusal {
                try await register(fixture, "late@example.org", invitation: InvitingApp.code)
            }
            #expect(used?.message == AccountMessage.invitationInvalid.text)
        }
    }

    @Test("A failed registration doesn't use up its invitation")
    func failedRegistration() async throws {
        let policy = RegistrationPolicy(fixedMode: .invitation)
        try await withFixture(.sqlite, registration: policy, dataHandlers: [InvitingApp()]) { fixture in
            _ = try await fixture.service.administrators.create(
                email: "mia@example.org", name: "Mia", password: "correct horse")
            try await expectRefusal(.conflict) {
                try await register(fixture, "mia@example.org", invitation: InvitingApp.code)
            }
            try await register(fixture, "ben@example.org", invitation: InvitingApp.code)
        }
    }

    @Test("Unknown invitations are counted by network", arguments: Engine.allCases)
    func guessedInvitations(engine: Engine) async throws {
        let policy = RegistrationPolicy(fixedMode: .invitation)
        try await withFixture(engine, registration: policy, dataHandlers: [InvitingApp()]) { fixture in
            for number in 0..<Limits.invitationFailures {
                try await expectRefusal(.forbidden) {
                    try await register(fixture, "mia@example.org", invitation: "guess \(number)")
                }
            }
            try await expectRefusal(.throttled) {
                try await register(fixture, "mia@example.org", invitation: InvitingApp.code)
            }
            try await register(fixture, "mia@example.org", from: "192.0.2.2", invitation: InvitingApp.code)
        }
    }

    @Test("A provider's first sign-in uses the invitation in its destination")
    func invitedProvider() async throws {
        let policy = RegistrationPolicy(fixedMode: .invitation)
        try await withFixture(.sqlite, registration: policy, dataHandlers: [InvitingApp()]) { fixture in
            let site = try ProviderFixture(fixture)
            let departure = try await site.providers.attempts.begin(
                .signIn(offer: nil), at: .oidc, browser: nil,
                destination: "/family/invitations/\(InvitingApp.code)", clientAddress: "192.0.2.1")
            let outcome = try await site.finish(site.provider.agree(at: departure.url, ProviderPerson()), departure)
            #expect(outcome.signedIn != nil)
        }
    }

    @Test("The hourly limit of a network counts forms and providers together", arguments: Engine.allCases)
    func perNetwork(engine: Engine) async throws {
        try await withFixture(engine, registration: RegistrationPolicy(perHour: 3)) { fixture in
            let codes = await withTaskGroup(of: AppError.Code?.self) { group in
                for number in 0..<8 {
                    group.addTask {
                        do {
                            // Both addresses are in one /64 network.
                            try await register(fixture, "u\(number)@example.org", from: "2001:db8::\(number)")
                            return nil
                        } catch {
                            return (error as? AppError)?.code ?? .internal
                        }
                    }
                }
                return await group.reduce(into: [AppError.Code?]()) { $0.append($1) }
            }
            #expect(count(nil, in: codes) == 3)
            #expect(count(.throttled, in: codes) == 5)
            let site = try ProviderFixture(fixture)
            try await expectRefusal(.throttled) { _ = try await site.comeIn(from: .at("2001:db8::ffff")) }
            #expect(try await fixture.service.administrators.accounts(after: nil).count == 3)
            #expect(try await site.comeIn(from: .at("2001:db8:0:1::1")).signedIn != nil)
            fixture.clock.advance(seconds: Limits.registrationThrottleSeconds - 1)
            let error = try await refusal { try await register(fixture, "late@example.org", from: "2001:db8::1") }
            #expect(error?.retryAfterSeconds == 1)
            #expect(error?.message == AccountMessage.registrationsThrottled.text)
            fixture.clock.advance(seconds: 1)
            try await register(fixture, "late@example.org", from: "2001:db8::1")
        }
    }

    @Test("The limit survives restarts and is shared by all servers on one database", arguments: Engine.allCases)
    func storedLimit(engine: Engine) async throws {
        try await withFixture(engine, registration: RegistrationPolicy(perHour: 1)) { fixture in
            try await register(fixture, "mia@example.org")
            let other = AccountServices(
                database: fixture.database, siteURL: "https://home.example",
                registration: RegistrationPolicy(perHour: 1), clock: fixture.clock, random: SeededRandom(seed: 4),
                logger: .silent, hasher: fixture.hasher)
            try await expectRefusal(.throttled) {
                _ = try await other.registrations.register(
                    Registration(email: "ben@example.org", password: "correct horse", name: "Ben"), device: .phone)
            }
        }
    }
}
