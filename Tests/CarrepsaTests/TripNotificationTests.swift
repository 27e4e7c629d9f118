import Accounts
import Kernel
import Storage
import TestSupport
import Testing

@testable import Carrepsa

@Suite("Notifications of offers on the way of a trip")
struct TripNotificationTests {
    @Test("A notification respects the days, the size and the detour of the trip", arguments: Engine.allCases)
    func notifiedWithinTrip(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let people = try await fixture.people(5)
            let index = try #require(
                TripDays.codes.firstIndex {
                    TripDays(codes: [$0])?.nextStart(fixture.now, in: TripTests.zone) == fixture.now
                })
            let today = TripDays.codes[index]
            let tomorrow = TripDays.codes[(index + 1) % TripDays.codes.count]
            let inputs = [
                TripTests.trip(days: [tomorrow]), TripTests.trip(size: .bag), TripTests.trip(detour: 1),
                TripTests.trip(days: [today], size: .backpack),
            ]
            for (actor, input) in zip(people.dropFirst(), inputs) {
                _ = try await fixture.carrepsa.trips.create(input, by: Change(actor: actor))
            }
            // The destination is about eight kilometres beside the way.
            let offer = TripTests.parcel(
                to: (54.36, 10.25), size: .backpack, deadline: fixture.now.adding(seconds: 60))
            _ = try await fixture.carrepsa.packages.create(offer, by: Change(actor: people[0]))
            try await fixture.carrepsa.housekeeping.run()
            let notices = try await fixture.database.notices().filter { $0.kind == "packageOnTrip" }
            #expect(notices.map(\.person) == [people[4].person])
        }
    }

    @Test("A trip is compared even if many earlier trips don't fit", arguments: Engine.allCases)
    func notifiedAfterManyTrips(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let people = try await fixture.people(3)
            let terms = try TripTests.trip(size: .bag).validated()
            let (now, random, person) = (fixture.now, fixture.random, people[1].person)
            try await fixture.database.write { tx in
                for _ in 0..<Limits.tripsPerPage {
                    let trip = Trip(terms, id: ID(at: now, random: random), person: person, now: now)
                    try TripStore.insert(trip, cells: TripStore.cells(of: trip), in: tx)
                }
            }
            fixture.clock.advance(seconds: 1)
            _ = try await fixture.carrepsa.trips.create(TripTests.trip(), by: Change(actor: people[2]))
            _ = try await fixture.carrepsa.packages.create(TripTests.parcel(size: .boot), by: Change(actor: people[0]))
            try await fixture.carrepsa.housekeeping.run()
            let notices = try await fixture.database.notices().filter { $0.kind == "packageOnTrip" }
            #expect(notices.map(\.person) == [people[2].person])
        }
    }
}
