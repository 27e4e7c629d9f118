import Accounts
import Kernel
import Storage
import TestSupport
import Testing

@testable import Carrepsa

/// Where mail is set up, the welcome amount waits for the confirmed email.
@Suite("Carrepsa: the welcome amount")
struct WelcomeTests {
    private func confirm(_ actor: Actor, in house: CarrepsaHouse) async throws {
        let now = house.now
        try await house.database.write { tx in
            try tx.execute("UPDATE account SET email_verified_at = \(now) WHERE id = \(actor.person)")
            try house.service.emailConfirmed(of: actor.person, now: now, in: tx)
        }
    }

    private func balance(_ actor: Actor, _ house: CarrepsaHouse) async throws -> Int64 {
        try await house.service.wallet(for: actor).balance
    }

    @Test("it comes with the confirmation, once", arguments: Engine.allCases)
    func confirmation(engine: Engine) async throws {
        try await withHouse(engine, demandsConfirmedEmail: true) { house in
            let ada = try await house.person()
            #expect(try await balance(ada, house) == 0)
            for _ in 0..<2 {
                try await confirm(ada, in: house)
                #expect(try await balance(ada, house) == CarrepsaHouse.welcome)
            }
        }
    }

    @Test("it comes with the wallet where the email was confirmed before", arguments: Engine.allCases)
    func confirmedBefore(engine: Engine) async throws {
        try await withHouse(engine, demandsConfirmedEmail: true) { house in
            let ada = try await house.person()
            try await confirm(ada, in: house)
            #expect(try await balance(ada, house) == CarrepsaHouse.welcome)
        }
    }

    @Test("it comes once when wallet and confirmation meet", arguments: Engine.allCases)
    func race(engine: Engine) async throws {
        try await withHouse(engine, demandsConfirmedEmail: true) { house in
            for _ in 0..<Counts.races {
                let ada = try await house.person()
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { try await house.service.enter(ada) }
                    group.addTask { try await confirm(ada, in: house) }
                    try await group.waitForAll()
                }
                #expect(try await balance(ada, house) == CarrepsaHouse.welcome)
            }
        }
    }

    @Test("without mail it comes with the wallet", arguments: Engine.allCases)
    func withoutMail(engine: Engine) async throws {
        try await withHouse(engine) { house in
            let ada = try await house.person()
            #expect(try await balance(ada, house) == CarrepsaHouse.welcome)
            try await confirm(ada, in: house)
            #expect(try await balance(ada, house) == CarrepsaHouse.welcome)
        }
    }

    @Test("Where mail is set up, money goes only to a confirmed email or an id", arguments: Engine.allCases)
    func payments(engine: Engine) async throws {
        try await withHouse(engine, demandsConfirmedEmail: true) { house in
            let ada = try await house.person()
            let email = "\(ada.person)@example.org"
            func topUp(_ name: String) async throws -> Int64 {
                try await house.service.topUp(
                    email: name, amountMinor: 5_00, transferID: ID(at: house.now, random: house.random))
            }
            let error = await #expect(throws: AppError.self) { _ = try await topUp(email) }
            #expect(error?.message == AccountMessage.emailNotConfirmed.rawValue)
            #expect(try await topUp("\(ada.person)") == 5_00)
            try await confirm(ada, in: house)
            #expect(try await topUp(email) == CarrepsaHouse.welcome + 10_00)
            let unknown = PersonID(at: house.now, random: house.random)
            await #expect(throws: AppError.notFound) { _ = try await topUp("\(unknown)") }
        }
    }
}
