import Accounts
import Kernel
import Recurrence
import Storage
import TestSupport
import Testing

@testable import Carrepsa

@Suite("The days of a trip are local days")
struct TripZoneTests {
    private static let losAngeles = (latitude: 34.05, longitude: -118.25)
    private static let auckland = (latitude: -36.85, longitude: 174.76)

    private static let starts: [(days: String, zone: String, now: String, start: String)] = [
        // A Saturday noon; Monday begins at 8:00 in UTC.
        ("MO", "America/Los_Angeles", "2026-12-05T20:00:00Z", "2026-12-07T08:00:00Z"),
        // Sunday in Auckland, still Saturday in UTC.
        ("SU", "Pacific/Auckland", "2026-12-12T17:30:00Z", "2026-12-12T17:30:00Z"),
        ("SA", "Pacific/Auckland", "2026-12-12T17:30:00Z", "2026-12-18T11:00:00Z"),
        ("SU", "UTC", "2026-12-12T17:30:00Z", "2026-12-13T00:00:00Z"),
        // The clocks change on the 29th.
        ("MO", "Europe/Berlin", "2026-03-28T12:00:00Z", "2026-03-29T22:00:00Z"),
    ]

    @Test("The next day begins in its time zone", arguments: starts)
    func next(start: (days: String, zone: String, now: String, start: String)) throws {
        let (now, expected) = (try #require(Instant(rfc3339: start.now)), try #require(Instant(rfc3339: start.start)))
        let zone = try LocalTimeZone(start.zone)
        #expect(TripDays(codes: [start.days])?.nextStart(now, in: zone) == expected)
    }

    private static let suns: [(longitude: Double, zone: String)] = [
        (-118.25, "Etc/GMT+8"), (174.76, "Etc/GMT-12"), (0, "Etc/GMT+0"), (180, "Etc/GMT-12"), (-180, "Etc/GMT+12"),
        (13.4, "Etc/GMT-1"),
    ]

    @Test("The time zone of solar time has whole hours", arguments: suns)
    func sun(place: (longitude: Double, zone: String)) throws {
        let point = try #require(Coordinate(latitude: 10, longitude: place.longitude))
        #expect(LocalTimeZone(at: point).identifier == place.zone)
        let noon = try #require(Instant(rfc3339: "2026-06-01T12:00:00Z"))
        let hour = LocalTimeZone(at: point).time(at: noon).minuteOfDay / 60
        #expect(hour == (12 + Int((place.longitude / 15).rounded()) + 24) % 24)
    }

    @Test("A trip keeps the zone of its traveller; without one, the place decides", arguments: Engine.allCases)
    func stored(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let people = try await fixture.people(1)
            let trips = fixture.carrepsa.trips
            var input = TripTests.trip(from: Self.auckland, to: (-37.79, 175.28), days: ["SU"])
            let placed = try await trips.create(input, by: Change(actor: people[0]))
            #expect(placed.timeZone == nil)
            input = TripTests.trip(
                from: Self.losAngeles, to: (32.72, -117.16), days: ["MO"], timeZone: "Europe/Berlin")
            let named = try await trips.create(input, by: Change(actor: people[0]))
            #expect(try await trips.trip(named.id, of: people[0]).timeZone?.identifier == "Europe/Berlin")
            let kept = try await trips.edit(
                named.id, TripTests.trip(days: ["TU"]), by: Change(actor: people[0], ifVersion: 1))
            #expect(kept.timeZone?.identifier == "Europe/Berlin")
            let wrong = await refusal {
                let input = TripTests.trip(days: ["MO"], timeZone: "Mars/Olympus")
                _ = try await trips.create(input, by: Change(actor: people[0]))
            }
            #expect(wrong?.fields.keys.sorted() == ["timeZone"])
        }
    }

    @Test("An offer fits a trip of a day that begins before its latest pickup", arguments: Engine.allCases)
    func fitting(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let people = try await fixture.people(2)
            // Monday noon in Los Angeles, and Tuesday in Auckland.
            let hours = (fixture.now.millisecondsSince1970 / 3_600_000) % 24
            fixture.clock.advance(seconds: (20 - hours + 24) % 24 * 3_600)
            func count(_ place: (latitude: Double, longitude: Double), ahead: Int) async throws -> Int {
                let to = (latitude: place.latitude - 1, longitude: place.longitude + 0.5)
                let zone = try #require(
                    Coordinate(latitude: place.latitude, longitude: place.longitude).map(LocalTimeZone.init(at:)))
                let day = zone.date(at: fixture.now).adding(days: ahead)
                // The last second of the day before.
                let deadline = zone.instant(of: day, at: .midnight).adding(seconds: -1)
                let package = try await fixture.carrepsa.packages.create(
                    TripTests.parcel(from: place, to: to, deadline: ahead > 0 ? deadline : nil),
                    by: Change(actor: people[0]))
                let trip = try await fixture.carrepsa.trips.create(
                    TripTests.trip(from: place, to: to, days: [day.weekday.code]), by: Change(actor: people[1]))
                let matches = try await fixture.carrepsa.trips.matches(of: trip.id, for: people[1]).matches
                return matches.count { $0.package.id == package.package.id }
            }
            for place in [Self.losAngeles, Self.auckland] {
                #expect(try await count(place, ahead: 0) == 1)
                #expect(try await count(place, ahead: 1) == 0)
            }
        }
    }
}
