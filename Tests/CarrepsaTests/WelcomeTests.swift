import Accounts
import Kernel
import Storage
import TestSupport
import Testing

@testable import Carrepsa

/// If mail is set up, only a confirmed email brings the welcome amount.
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

    @Test("The email's confirmation credits it, once", arguments: Engine.allCases)
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

    @Test("A new wallet gets it if the email is confirmed", arguments: Engine.allCases)
    func confirmedBefore(engine: Engine) async throws {
        try await withHouse(engine, demandsConfirmedEmail: true) { house in
            let ada = try await house.person()
            try await confirm(ada, in: house)
            #expect(try await balance(ada, house) == CarrepsaHouse.welcome)
        }
    }

    @Test("Concurrent confirmation and wallet creation credit it once", arguments: Engine.allCases)
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

    @Test("Without mail a new wallet gets it", arguments: Engine.allCases)
    func withoutMail(engine: Engine) async throws {
        try await withHouse(engine) { house in
            let ada = try await house.person()
            #expect(try await balance(ada, house) == CarrepsaHouse.welcome)
            try await confirm(ada, in: house)
            #expect(try await balance(ada, house) == CarrepsaHouse.welcome)
        }
    }

    @Test("With mail, a top-up needs a confirmed email or an account id", arguments: Engine.allCases)
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
