import Accounts
import Kernel
import Storage
import TestSupport
import Testing

@testable import Carrepsa

/// If mail is set up, only a confirmed email brings the welcome amount.
@Suite("Carrepsa: the welcome amount")
struct WelcomeTests {
    private func confirm(_ actor: Actor, in fixture: CarrepsaFixture) async throws {
        let now = fixture.now
        try await fixture.database.write { tx in
            try tx.execute("UPDATE account SET email_verified_at = \(now) WHERE id = \(actor.person)")
            try fixture.carrepsa.walletAccounts.emailChanged(of: actor.person, now: now, in: tx)
        }
    }

    private func balance(_ actor: Actor, _ fixture: CarrepsaFixture) async throws -> Int64 {
        try await fixture.carrepsa.wallets.wallet(of: actor).balance
    }

    @Test("The email's confirmation credits it, once", arguments: Engine.allCases)
    func confirmation(engine: Engine) async throws {
        try await withFixture(engine, demandsConfirmedEmail: true) { fixture in
            let ada = try await fixture.person()
            #expect(try await balance(ada, fixture) == 0)
            for _ in 0..<2 {
                try await confirm(ada, in: fixture)
                #expect(try await balance(ada, fixture) == CarrepsaFixture.welcome)
            }
        }
    }

    @Test("A new wallet gets it if the email is confirmed", arguments: Engine.allCases)
    func confirmedBefore(engine: Engine) async throws {
        try await withFixture(engine, demandsConfirmedEmail: true) { fixture in
            let ada = try await fixture.person()
            try await confirm(ada, in: fixture)
            #expect(try await balance(ada, fixture) == CarrepsaFixture.welcome)
        }
    }

    @Test("Concurrent confirmation and wallet creation credit it once", arguments: Engine.allCases)
    func race(engine: Engine) async throws {
        try await withFixture(engine, demandsConfirmedEmail: true) { fixture in
            for _ in 0..<Counts.races {
                let ada = try await fixture.person()
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { try await fixture.carrepsa.memberships.ensureWallet(of: ada) }
                    group.addTask { try await confirm(ada, in: fixture) }
                    try await group.waitForAll()
                }
                #expect(try await balance(ada, fixture) == CarrepsaFixture.welcome)
            }
        }
    }

    @Test("Without mail a new wallet gets it", arguments: Engine.allCases)
    func withoutMail(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            #expect(try await balance(ada, fixture) == CarrepsaFixture.welcome)
            try await confirm(ada, in: fixture)
            #expect(try await balance(ada, fixture) == CarrepsaFixture.welcome)
        }
    }

    @Test("With mail, a top-up needs a confirmed email or an account id", arguments: Engine.allCases)
    func payments(engine: Engine) async throws {
        try await withFixture(engine, demandsConfirmedEmail: true) { fixture in
            let ada = try await fixture.person()
            let email = "\(ada.person)@example.org"
            func topUp(_ name: String) async throws -> Int64 {
                try await fixture.carrepsa.payments.topUp(
                    email: name, amountMinor: 5_00, transferID: ID(at: fixture.now, random: fixture.random))
            }
            let error = await #expect(throws: AppError.self) { _ = try await topUp(email) }
            #expect(error?.message == AccountMessage.emailNotConfirmed.text)
            #expect(try await topUp("\(ada.person)") == 5_00)
            try await confirm(ada, in: fixture)
            #expect(try await topUp(email) == CarrepsaFixture.welcome + 10_00)
            let unknown = PersonID(at: fixture.now, random: fixture.random)
            await #expect(throws: AppError.notFound) { _ = try await topUp("\(unknown)") }
        }
    }
}
