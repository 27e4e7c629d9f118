import Accounts
import Kernel
import Notifications
import Storage
import TestSupport
import Testing

@testable import Carrepsa

extension CarrepsaFixture {
    func notices() async throws -> [PostedNotification] { try await database.notices() }

    /// Returns the kinds of all notifications, the newest last.
    func notificationKinds() async throws -> [String] { try await notices().map(\.kind) }
}

@Suite("Carrepsa's notifications")
struct NoticeTests {
    @Test("Acceptance, pickup and delivery notify the other of owner and carrier", arguments: Engine.allCases)
    func steps(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person("Ada")
            let ben = try await fixture.person("Ben")
            let id = try await fixture.post(by: ada)
            #expect(try await fixture.notices().isEmpty)
            func notice(_ event: PackageEvent, _ person: Actor, from name: String, _ amount: Int64)
                -> PostedNotification
            {
                PostedNotification(
                    person: person.person, kind: event.kind.rawValue, resource: "/carrepsa/packages/\(id)",
                    subject: "A box of books", details: event.details(name: name, amount: amount, currency: .euro),
                    at: fixture.now
                )
            }
            let accept = Change.keyed(ben, "/carrepsa/packages/\(id)/acceptance", "k")
            _ = try await fixture.carrepsa.acceptances.accept(id, by: accept)
            let accepted = notice(.accepted, ada, from: "Ben", 5_00)
            #expect(try await fixture.notices() == [accepted])
            // A repeated request posts no further notification.
            _ = try await fixture.carrepsa.acceptances.accept(id, by: accept)
            #expect(try await fixture.notices() == [accepted])
            fixture.clock.advance(seconds: 1)
            _ = try await fixture.carrepsa.handovers.confirmPickup(id, code: nil, by: Change(actor: ada))
            let pickedUp = notice(.pickedUp, ben, from: "Ada", 20_00)
            #expect(try await fixture.notices() == [accepted, pickedUp])
            fixture.clock.advance(seconds: 1)
            let code = try await fixture.carrepsa.handovers.createCode(id, step: .delivery, by: ada).code
            _ = try await fixture.carrepsa.handovers.confirmDelivery(id, code: code, by: Change(actor: ben))
            let delivered = PostedNotification(
                person: ada.person, kind: PackageEvent.deliveredToOwner.kind.rawValue,
                resource: "/carrepsa/packages/\(id)", subject: "A box of books",
                details: PackageEvent.deliveredToOwner.details(
                    name: "Ben", amount: 25_00, reward: 5_00, deposit: 20_00, currency: .euro), at: fixture.now)
            #expect(try await fixture.notices() == [accepted, pickedUp, delivered])
        }
    }

    @Test("A decision notifies owner and carrier", arguments: Engine.allCases)
    func decided(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person("Ada")
            let ben = try await fixture.person("Ben")
            let olga = try await fixture.person("Olga", isOperator: true)
            let id = try await fixture.travelling(by: ben, of: ada)
            _ = try await fixture.carrepsa.disputes.open(id, reason: "It is there", by: Change(actor: ben))
            _ = try await fixture.carrepsa.disputes.addStatement(id, text: "Where?", by: Change(actor: ada))
            let before = try await fixture.notices().count
            fixture.clock.advance(seconds: 1)
            _ = try await fixture.carrepsa.disputes.decide(
                id, outcome: .delivered, note: "Seen the receipt", by: Change(actor: olga))
            let told = try await fixture.notices().dropFirst(before)
            #expect(Set(told.map(\.person)) == [ada.person, ben.person])
            #expect(told.allSatisfy { $0.kind == "packageDecided" })
        }
    }

    @Test("A rejected action notifies no one", arguments: Engine.allCases)
    func refused(engine: Engine) async throws {
        try await withFixture(engine, welcome: 10_00) { fixture in
            let ada = try await fixture.person("Ada")
            let ben = try await fixture.person("Ben")
            let id = try await fixture.post(by: ada, reward: 1_00, moneyLock: 20_00)
            let error = await refusal { _ = try await fixture.carrepsa.acceptances.accept(id, by: Change(actor: ben)) }
            #expect(error?.code == .insufficientFunds)
            #expect(try await fixture.notices().isEmpty)
        }
    }

    @Test("Concurrent acceptances notify the owner once", arguments: Engine.allCases)
    func race(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let people = try await fixture.people(5)
            let id = try await fixture.post(by: people[0])
            _ = await together(
                people.dropFirst().map { person in
                    { _ = try await fixture.carrepsa.acceptances.accept(id, by: Change(actor: person)) }
                })
            #expect(try await fixture.notices().map(\.person) == [people[0].person])
        }
    }

    @Test("Owner and carrier get one reminder two hours before the latest pickup", arguments: Engine.allCases)
    func deadline(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person("Ada")
            let ben = try await fixture.person("Ben")
            let deadline = fixture.now.adding(seconds: 10 * 60 * 60)
            let id = try await fixture.accepted(by: ben, of: ada, deadline: deadline)
            let before = try await fixture.notices().count
            fixture.clock.set(deadline.adding(seconds: -Limits.deadlineNearSeconds - 1))
            try await fixture.carrepsa.housekeeping.run()
            #expect(try await fixture.notices().count == before)
            fixture.clock.advance(seconds: 1)
            try await fixture.carrepsa.housekeeping.run()
            let told = try await fixture.notices().dropFirst(before)
            let expected = [(ada, "Ben"), (ben, "Ada")].map { person, other in
                PostedNotification(
                    person: person.person, kind: "packageDeadlineNear", resource: "/carrepsa/packages/\(id)",
                    subject: "A box of books", details: ["who": other, "deadline": deadline.rfc3339], at: fixture.now
                )
            }
            #expect(Set(told) == Set(expected))
            fixture.clock.advance(seconds: 60)
            try await fixture.carrepsa.housekeeping.run()
            try await fixture.carrepsa.housekeeping.run()
            #expect(try await fixture.notices().count == before + 2)
        }
    }

    @Test("There is no reminder without a deadline, after pickup or when accepted late", arguments: Engine.allCases)
    func noReminder(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person("Ada")
            let ben = try await fixture.person("Ben")
            let deadline = fixture.now.adding(seconds: 3 * 60 * 60)
            _ = try await fixture.accepted(by: ben, of: ada)
            let travelling = try await fixture.accepted(by: ben, of: ada, deadline: deadline)
            _ = try await fixture.carrepsa.handovers.confirmPickup(travelling, code: nil, by: Change(actor: ada))
            let late = try await fixture.post(by: ada, deadline: deadline)
            fixture.clock.advance(seconds: 2 * 60 * 60)
            _ = try await fixture.carrepsa.acceptances.accept(late, by: Change(actor: ben))
            try await fixture.carrepsa.housekeeping.run()
            #expect(try await !fixture.notificationKinds().contains("packageDeadlineNear"))
        }
    }

    @Test("A new acceptance gets its own reminder", arguments: Engine.allCases)
    func acceptedAnew(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person("Ada")
            let ben = try await fixture.person("Ben")
            let cem = try await fixture.person("Cem")
            let deadline = fixture.now.adding(seconds: 10 * 60 * 60)
            let id = try await fixture.accepted(by: ben, of: ada, deadline: deadline)
            _ = try await fixture.carrepsa.acceptances.cancel(id, by: Change(actor: ben))
            fixture.clock.advance(seconds: 60)
            _ = try await fixture.carrepsa.acceptances.accept(id, by: Change(actor: cem))
            fixture.clock.set(deadline.adding(seconds: -60))
            try await fixture.carrepsa.housekeeping.run()
            let reminded = try await fixture.notices().filter { $0.kind == "packageDeadlineNear" }
            #expect(Set(reminded.map(\.person)) == [ada.person, cem.person])
        }
    }
}
