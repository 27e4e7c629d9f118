import Accounts
import Kernel
import Notifications
import Storage
import TestSupport
import Testing

@testable import Carrepsa

extension CarrepsaHouse {
    func notices() async throws -> [ToldNotice] { try await database.notices() }

    /// Returns the kinds of all notifications, the newest last.
    func toldOf() async throws -> [String] { try await notices().map(\.kind) }
}

@Suite("Carrepsa's notifications")
struct NoticeTests {
    @Test("Acceptance, pickup and delivery notify the other party", arguments: Engine.allCases)
    func steps(engine: Engine) async throws {
        try await withHouse(engine) { house in
            let ada = try await house.person("Ada")
            let ben = try await house.person("Ben")
            let id = try await house.post(by: ada)
            #expect(try await house.notices().isEmpty)
            func notice(_ event: PackageEvent, _ person: Actor, from name: String, _ amount: Int64) -> ToldNotice {
                ToldNotice(
                    person: person.person, kind: event.kind.rawValue, resource: "/carrepsa/packages/\(id)",
                    subject: "A box of books", details: event.details(name: name, amount: amount, currency: .euro),
                    at: house.now
                )
            }
            let accept = Change.keyed(ben, "/carrepsa/packages/\(id)/acceptance", "k")
            _ = try await house.service.accept(id, by: accept)
            let accepted = notice(.accepted, ada, from: "Ben", 5_00)
            #expect(try await house.notices() == [accepted])
            // A repeated request posts no further notification.
            _ = try await house.service.accept(id, by: accept)
            #expect(try await house.notices() == [accepted])
            house.clock.advance(seconds: 1)
            _ = try await house.service.confirmPickup(id, code: nil, by: Change(actor: ada))
            let pickedUp = notice(.pickedUp, ben, from: "Ada", 20_00)
            #expect(try await house.notices() == [accepted, pickedUp])
            house.clock.advance(seconds: 1)
            let code = try await house.service.handoverCode(id, step: .delivery, by: ada).code
            _ = try await house.service.confirmDelivery(id, code: code, by: Change(actor: ben))
            let delivered = notice(.deliveredToOwner, ada, from: "Ben", 25_00)
            #expect(try await house.notices() == [accepted, pickedUp, delivered])
        }
    }

    @Test("A decision notifies both parties", arguments: Engine.allCases)
    func decided(engine: Engine) async throws {
        try await withHouse(engine) { house in
            let ada = try await house.person("Ada")
            let ben = try await house.person("Ben")
            let olga = try await house.person("Olga", isOperator: true)
            let id = try await house.travelling(by: ben, of: ada)
            _ = try await house.service.dispute(id, reason: "It is there", by: Change(actor: ben))
            let before = try await house.notices().count
            house.clock.advance(seconds: 1)
            _ = try await house.service.decide(id, outcome: .delivered, note: nil, by: Change(actor: olga))
            let told = try await house.notices().dropFirst(before)
            #expect(Set(told.map(\.person)) == [ada.person, ben.person])
            #expect(told.allSatisfy { $0.kind == "packageDecided" })
        }
    }

    @Test("A rejected action notifies no one", arguments: Engine.allCases)
    func refused(engine: Engine) async throws {
        try await withHouse(engine, welcome: 10_00) { house in
            let ada = try await house.person("Ada")
            let ben = try await house.person("Ben")
            let id = try await house.post(by: ada, reward: 1_00, moneyLock: 20_00)
            let error = await refusal { _ = try await house.service.accept(id, by: Change(actor: ben)) }
            #expect(error?.code == .insufficientFunds)
            #expect(try await house.notices().isEmpty)
        }
    }

    @Test("Concurrent acceptances notify the owner once", arguments: Engine.allCases)
    func race(engine: Engine) async throws {
        try await withHouse(engine) { house in
            let people = try await house.people(5)
            let id = try await house.post(by: people[0])
            _ = await together(
                people.dropFirst().map { person in
                    { _ = try await house.service.accept(id, by: Change(actor: person)) }
                })
            #expect(try await house.notices().map(\.person) == [people[0].person])
        }
    }

    @Test("Both parties get one reminder two hours before the latest pickup", arguments: Engine.allCases)
    func deadline(engine: Engine) async throws {
        try await withHouse(engine) { house in
            let ada = try await house.person("Ada")
            let ben = try await house.person("Ben")
            let deadline = house.now.adding(seconds: 10 * 60 * 60)
            let id = try await house.accepted(by: ben, of: ada, deadline: deadline)
            let before = try await house.notices().count
            house.clock.set(deadline.adding(seconds: -Limits.deadlineNearSeconds - 1))
            try await house.service.housekeeping()
            #expect(try await house.notices().count == before)
            house.clock.advance(seconds: 1)
            try await house.service.housekeeping()
            let told = try await house.notices().dropFirst(before)
            let expected = [(ada, "Ben"), (ben, "Ada")].map { person, other in
                ToldNotice(
                    person: person.person, kind: "packageDeadlineNear", resource: "/carrepsa/packages/\(id)",
                    subject: "A box of books", details: ["who": other, "deadline": deadline.rfc3339], at: house.now
                )
            }
            #expect(Set(told) == Set(expected))
            house.clock.advance(seconds: 60)
            try await house.service.housekeeping()
            try await house.service.housekeeping()
            #expect(try await house.notices().count == before + 2)
        }
    }

    @Test("There is no reminder without a deadline, after pickup or when accepted late", arguments: Engine.allCases)
    func noReminder(engine: Engine) async throws {
        try await withHouse(engine) { house in
            let ada = try await house.person("Ada")
            let ben = try await house.person("Ben")
            let deadline = house.now.adding(seconds: 3 * 60 * 60)
            _ = try await house.accepted(by: ben, of: ada)
            let travelling = try await house.accepted(by: ben, of: ada, deadline: deadline)
            _ = try await house.service.confirmPickup(travelling, code: nil, by: Change(actor: ada))
            let late = try await house.post(by: ada, deadline: deadline)
            house.clock.advance(seconds: 2 * 60 * 60)
            _ = try await house.service.accept(late, by: Change(actor: ben))
            try await house.service.housekeeping()
            #expect(try await !house.toldOf().contains("packageDeadlineNear"))
        }
    }

    @Test("A new acceptance gets its own reminder", arguments: Engine.allCases)
    func acceptedAnew(engine: Engine) async throws {
        try await withHouse(engine) { house in
            let ada = try await house.person("Ada")
            let ben = try await house.person("Ben")
            let cem = try await house.person("Cem")
            let deadline = house.now.adding(seconds: 10 * 60 * 60)
            let id = try await house.accepted(by: ben, of: ada, deadline: deadline)
            _ = try await house.service.cancelAcceptance(id, by: Change(actor: ben))
            house.clock.advance(seconds: 60)
            _ = try await house.service.accept(id, by: Change(actor: cem))
            house.clock.set(deadline.adding(seconds: -60))
            try await house.service.housekeeping()
            let reminded = try await house.notices().filter { $0.kind == "packageDeadlineNear" }
            #expect(Set(reminded.map(\.person)) == [ada.person, cem.person])
        }
    }
}
