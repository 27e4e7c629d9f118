import Accounts
import Kernel
import Notifications
import Storage
import TestSupport
import Testing

@testable import Carrepsa

@Suite("Floods of notifications about packages and money")
struct FloodTests {
    @Test("40 payout requests notify each administrator once of each event", arguments: Engine.allCases)
    func payouts(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let administrators = [
                try await fixture.person("Olga", isOperator: true), try await fixture.person("Otto", isOperator: true),
            ]
            let ben = try await fixture.people(1)[0]
            // Welcome money isn't paid out.
            _ = try await fixture.carrepsa.payments.topUp(
                email: "\(ben.person)@example.org", amountMinor: 1_00,
                transferID: ID(at: fixture.now, random: fixture.random))
            for _ in 0..<40 {
                let request = try await fixture.carrepsa.payoutRequests.create(
                    PayoutRequestInput(amount: 1, destination: "DE02120300000000202051"), by: Change(actor: ben))
                try await fixture.carrepsa.payoutRequests.withdraw(request.id, by: Change(actor: ben))
                fixture.clock.advance(seconds: 1)
            }
            let notices = try await fixture.database.notices().filter { $0.kind == "payoutRequest" }
            #expect(notices.count == 4)
            #expect(Set(notices.map(\.person)) == Set(administrators.map(\.person)))
        }
    }

    @Test("Cancellations that are requested and taken back notify once of each in an hour", arguments: Engine.allCases)
    func cancellationRequests(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let people = try await fixture.people(2)
            let id = try await fixture.travelling(by: people[1], of: people[0])
            for _ in 0..<20 {
                _ = try await fixture.carrepsa.cancellations.request(id, by: Change(actor: people[1]))
                _ = try await fixture.carrepsa.cancellations.retract(id, by: Change(actor: people[1]))
                fixture.clock.advance(seconds: 1)
            }
            let notices = try await fixture.database.notices().filter { $0.kind == "packageCancellationRequested" }
            #expect(notices.map(\.person) == [people[0].person, people[0].person])
        }
    }

    @Test("50 offers on a way are one notification, without a text of their owner", arguments: Engine.allCases)
    func trips(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let people = try await fixture.people(2)
            let trip = try await fixture.carrepsa.trips.create(TripTests.trip(), by: Change(actor: people[1]))
            for _ in 0..<50 {
                _ = try await fixture.carrepsa.packages.create(
                    TripTests.parcel(reward: 1), by: Change(actor: people[0]))
            }
            try await fixture.carrepsa.housekeeping.run()
            let notices = try await fixture.database.notices().filter { $0.kind == "packageOnTrip" }
            #expect(notices.map(\.resource) == ["/carrepsa/trips/\(trip.id)"])
            #expect(notices.allSatisfy { "\($0.subject) \($0.details)".contains("books") == false })
            let further: Int? = try await fixture.database.read { tx in
                try tx.row("SELECT SUM(further) AS n FROM notice WHERE kind = 'packageOnTrip'")?.get("n")
            }
            #expect(further == 49)
        }
    }
}
