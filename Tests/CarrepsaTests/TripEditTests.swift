import Accounts
import Kernel
import Storage
import TestSupport
import Testing

@testable import Carrepsa

@Suite("Changing a trip")
struct TripEditTests {
    @Test(
        "A trip is changed by its person only, and a client that read another version gets a conflict",
        arguments: Engine.allCases)
    func edited(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let people = try await fixture.people(2)
            let trips = fixture.carrepsa.trips
            let trip = try await trips.create(TripTests.trip(days: ["MO"]), by: Change(actor: people[0]))
            let input = TripTests.trip(to: (55.7, 12.6), days: ["TU", "WE"], detour: 40, size: .bag)
            let other = await #expect(throws: AppError.self) {
                try await trips.edit(trip.id, input, by: Change(actor: people[1]))
            }
            #expect(other?.code == .notFound)
            let changed = try await trips.edit(trip.id, input, by: Change(actor: people[0], ifVersion: 1))
            #expect(changed.days.codes == ["TU", "WE"] && changed.detourMetres == 40_000 && changed.size == .bag)
            #expect(changed.end.latitude == 55.7 && changed.version == 2 && changed.createdAt == trip.createdAt)
            #expect(try await trips.list(for: people[0]) == [changed])
            let stale = await #expect(throws: AppError.self) {
                try await trips.edit(trip.id, TripTests.trip(), by: Change(actor: people[0], ifVersion: 1))
            }
            #expect(stale?.code == .conflict)
            #expect(try await trips.list(for: people[0]) == [changed])
        }
    }

    @Test(
        "New offers are compared with the changed trip, and no longer with the former one", arguments: Engine.allCases)
    func notified(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let people = try await fixture.people(2)
            let trips = fixture.carrepsa.trips
            let trip = try await trips.create(TripTests.trip(), by: Change(actor: people[1]))
            let south = TripTests.trip(from: (48.1, 11.6), to: (47.3, 11.4))
            _ = try await trips.edit(trip.id, south, by: Change(actor: people[1]))
            let former = try await fixture.carrepsa.packages.create(TripTests.parcel(), by: Change(actor: people[0]))
            let new = try await fixture.carrepsa.packages.create(
                TripTests.parcel(from: (48.1, 11.6), to: (47.3, 11.4)), by: Change(actor: people[0]))
            try await fixture.carrepsa.housekeeping.run()
            let notices = try await fixture.database.notices().filter { $0.kind == "packageOnTrip" }
            #expect(notices.map(\.resource) == ["/carrepsa/trips/\(trip.id)"])
            let further: Int? = try await fixture.database.read { tx in
                try tx.row("SELECT SUM(further) AS n FROM notice WHERE kind = 'packageOnTrip'")?.get("n")
            }
            #expect(further == 0, "the former offer isn't counted either")
            #expect(try await trips.matches(of: trip.id, for: people[1]).matches.map(\.package.id) == [new.package.id])
            #expect(former.package.id != new.package.id)
        }
    }

    @Test(
        "Two changes of the same version at once: one is stored, the other gets a conflict", arguments: Engine.allCases)
    func race(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let people = try await fixture.people(1)
            let trips = fixture.carrepsa.trips
            for _ in 0..<Counts.races {
                let trip = try await trips.create(TripTests.trip(), by: Change(actor: people[0]))
                let stored = await withTaskGroup(of: Bool.self) { group in
                    for detour in [30, 40] as [Int64] {
                        group.addTask {
                            let change = Change(actor: people[0], ifVersion: 1)
                            return (try? await trips.edit(trip.id, TripTests.trip(detour: detour), by: change)) != nil
                        }
                    }
                    return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
                }
                #expect(stored == 1)
                #expect(try await trips.trip(trip.id, of: people[0]).version == 2)
                try await trips.delete(trip.id, by: Change(actor: people[0]))
            }
        }
    }

    @Test("A form's map opens at the latest own package or trip", arguments: Engine.allCases)
    func likelyPlace(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let people = try await fixture.people(2)
            let trips = fixture.carrepsa.trips
            #expect(try await trips.likelyPlace(of: people[0]) == nil)
            _ = try await trips.create(TripTests.trip(from: (50, 6), to: (51, 7)), by: Change(actor: people[0]))
            #expect(try await trips.likelyPlace(of: people[0])?.latitude == 50)
            fixture.clock.advance(seconds: 1)
            _ = try await fixture.carrepsa.packages.create(
                TripTests.parcel(from: (52, 8)), by: Change(actor: people[0]))
            // A package without points doesn't hide the place of an earlier one.
            _ = try await fixture.carrepsa.packages.create(CarrepsaFixture.parcel(), by: Change(actor: people[0]))
            #expect(try await trips.likelyPlace(of: people[0])?.latitude == 52)
            #expect(try await trips.likelyPlace(of: people[1]) == nil)
            fixture.clock.advance(seconds: 1)
            _ = try await trips.create(TripTests.trip(from: (53, 9), to: (51, 7)), by: Change(actor: people[0]))
            #expect(try await trips.likelyPlace(of: people[0])?.latitude == 53)
        }
    }
}
