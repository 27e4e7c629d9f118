import Accounts
import Foundation
import Kernel
import Recurrence
import Storage
import TestSupport
import Testing

@testable import Carrepsa

@Suite("Trips and the search by detour")
struct TripTests {
    private static let lubeck = (latitude: 53.866, longitude: 10.687)
    private static let kiel = (latitude: 54.323, longitude: 10.123)

    /// The time zone of trips from Lübeck that name none.
    static let zone =
        Coordinate(latitude: lubeck.latitude, longitude: lubeck.longitude).map(LocalTimeZone.init(at:)) ?? .utc

    private static func point(_ place: (latitude: Double, longitude: Double)) -> PackageEndInput {
        PackageEndInput(latitude: place.latitude, longitude: place.longitude)
    }

    static func trip(
        from: (latitude: Double, longitude: Double) = Self.lubeck,
        to: (latitude: Double, longitude: Double) = Self.kiel,
        days: [String] = [], timeZone: String? = nil, detour: Int64 = 20, size: PackageSize? = nil
    ) -> TripInput {
        TripInput(
            from: "Lübeck", to: "Kiel", start: point(from), end: point(to), days: days, timeZone: timeZone,
            detourKilometres: detour,
            size: size)
    }

    static func parcel(
        from: (latitude: Double, longitude: Double) = Self.lubeck,
        to: (latitude: Double, longitude: Double) = Self.kiel,
        reward: Int64 = 1_00, size: PackageSize? = nil, deadline: Instant? = nil
    ) -> PackageInput {
        var input = CarrepsaFixture.parcel(reward: reward, deadline: deadline)
        input.origin = point(from)
        input.destination = point(to)
        input.size = size
        return input
    }

    @Test("Trips are saved, listed and deleted by their person only, up to a limit", arguments: Engine.allCases)
    func saved(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let people = try await fixture.people(2)
            let trips = fixture.carrepsa.trips
            let trip = try await trips.create(Self.trip(days: ["MO", "SU"]), by: Change(actor: people[0]))
            #expect(try await trips.list(for: people[0]) == [trip])
            #expect(trip.days.codes == ["MO", "SU"] && trip.detourMetres == 20_000)
            #expect(try await trips.list(for: people[1]).isEmpty)
            let foreign = await refusal { _ = try await trips.matches(of: trip.id, for: people[1]) }
            #expect(foreign?.code == .notFound)
            let deletion = await refusal { try await trips.delete(trip.id, by: Change(actor: people[1])) }
            #expect(deletion?.code == .notFound)
            for _ in 1..<Limits.tripsPerAccount {
                _ = try await trips.create(Self.trip(), by: Change(actor: people[0]))
            }
            let full = await refusal { _ = try await trips.create(Self.trip(), by: Change(actor: people[0])) }
            #expect(full?.code == .conflict)
            try await trips.delete(trip.id, by: Change(actor: people[0]))
            #expect(try await fixture.count("carrepsa_trip_cell") > 0)
            let before = try await fixture.count("carrepsa_trip")
            #expect(before == Limits.tripsPerAccount - 1)
        }
    }

    @Test("A trip needs both points and a detour in whole kilometres")
    func invalid() {
        let input = TripInput(
            from: "", to: "Kiel", start: PackageEndInput(), end: PackageEndInput(latitude: 1), days: ["XX"],
            detourKilometres: 0)
        let error = #expect(throws: AppError.self) { try input.check() }
        #expect(
            error.map { Set($0.fields.keys) } == [
                "from", "fromLatitude", "toLatitude", "toLongitude", "days", "detour",
            ])
    }

    @Test("A trip that is too long for its detour is refused at the detour; other long trips are accepted")
    func tooLong() {
        func input(to end: (latitude: Double, longitude: Double), detour: Int64) -> TripInput {
            Self.trip(from: (52.5, 13.4), to: end, detour: detour)
        }
        // The points opposite each other on the Earth: the trip can visit every point.
        let error = #expect(throws: AppError.self) { try input(to: (-52.5, -166.6), detour: 500).check() }
        #expect(error.map { Set($0.fields.keys) } == ["detour"])
        #expect(throws: Never.self) { try input(to: (38.7, -9.1), detour: 500).check() }
        #expect(throws: Never.self) { try input(to: (40.7, -74), detour: 10).check() }
    }

    @Test("Own offers don't displace the offers of others from the best ones", arguments: Engine.allCases)
    func ownOffers(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let people = try await fixture.people(2)
            let packages = fixture.carrepsa.packages
            _ = try await packages.create(Self.parcel(reward: 9_00), by: Change(actor: people[1]))
            let other = try await packages.create(Self.parcel(reward: 1_00), by: Change(actor: people[0])).package.id
            let trip = try await fixture.carrepsa.trips.create(Self.trip(), by: Change(actor: people[1]))
            let best = try await fixture.database.read { tx in
                try DetourSearch(trip: trip, now: fixture.now).best(1, in: tx)
            }
            #expect(best.map(\.id) == [other])
        }
    }

    @Test(
        "The most reward for an extra kilometre is first; own and taken packages aren't listed",
        arguments: Engine.allCases)
    func ranking(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let people = try await fixture.people(3)
            let packages = fixture.carrepsa.packages
            func post(_ input: PackageInput, by index: Int = 0) async throws -> ID<Package> {
                try await packages.create(input, by: Change(actor: people[index])).package.id
            }
            let poor = try await post(Self.parcel(reward: 1_00))
            let rich = try await post(Self.parcel(reward: 9_00))
            _ = try await post(Self.parcel(from: Self.kiel, to: Self.lubeck))
            _ = try await post(Self.parcel(), by: 1)
            let taken = try await post(Self.parcel(reward: 20_00))
            _ = try await fixture.carrepsa.acceptances.accept(taken, by: Change(actor: people[2]))
            let trip = try await fixture.carrepsa.trips.create(Self.trip(), by: Change(actor: people[1]))
            let found = try await fixture.carrepsa.trips.matches(of: trip.id, for: people[1]).matches
            #expect(found.map(\.package.id) == [rich, poor])
            #expect(found.allSatisfy { $0.package.route.origin.point == nil && $0.extraMetres <= 20_000 })
        }
    }

    @Test("Size and days decide what fits", arguments: Engine.allCases)
    func fitting(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let people = try await fixture.people(2)
            // The clock's day and the one after.
            let today = TripDays.codes.first { code in
                TripDays(codes: [code])?.nextStart(fixture.now, in: Self.zone) == fixture.now
            }
            let first = try #require(today)
            let index = try #require(TripDays.codes.firstIndex(of: first))
            let tomorrow = TripDays.codes[(index + 1) % TripDays.codes.count]
            let soon = fixture.now.adding(seconds: 60)
            for (size, deadline) in [(PackageSize.bag, nil), (.boot, nil), (.bag, soon)] as [(PackageSize, Instant?)] {
                let input = Self.parcel(size: size, deadline: deadline)
                _ = try await fixture.carrepsa.packages.create(input, by: Change(actor: people[0]))
            }
            func count(days: [String], size: PackageSize?) async throws -> Int {
                let input = Self.trip(days: days, size: size)
                let trip = try await fixture.carrepsa.trips.create(input, by: Change(actor: people[1]))
                return try await fixture.carrepsa.trips.matches(of: trip.id, for: people[1]).matches.count
            }
            #expect(try await count(days: [], size: nil) == 3)
            #expect(try await count(days: [], size: .backpack) == 2)
            #expect(try await count(days: [first], size: .boot) == 3)
            #expect(try await count(days: [tomorrow], size: nil) == 2)
        }
    }

    @Test("A new offer on the way notifies the person once, and its owner never", arguments: Engine.allCases)
    func notified(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let people = try await fixture.people(3)
            for actor in people { _ = try await fixture.carrepsa.trips.create(Self.trip(), by: Change(actor: actor)) }
            _ = try await fixture.carrepsa.trips.create(Self.trip(), by: Change(actor: people[1]))
            let far = Self.trip(from: (48.1, 11.6), to: (47.3, 11.4))
            _ = try await fixture.carrepsa.trips.create(far, by: Change(actor: people[2]))
            let id = try await fixture.carrepsa.packages.create(Self.parcel(), by: Change(actor: people[0])).package.id
            let away = Self.parcel(from: Self.kiel, to: (55.7, 12.6))
            _ = try await fixture.carrepsa.packages.create(away, by: Change(actor: people[0]))
            for _ in 0..<2 { try await fixture.carrepsa.housekeeping.run() }
            let notices = try await fixture.database.notices().filter { $0.kind == "packageOnTrip" }
            #expect(Set(notices.map(\.person)) == [people[1].person, people[2].person])
            #expect(notices.count == 2)
            #expect(notices.allSatisfy { $0.resource.hasPrefix("/carrepsa/trips/") && $0.subject == "Lübeck → Kiel" })
            #expect(try await fixture.count("carrepsa_new_offer") == 0)
            // An edited offer is compared again, and those who know it aren't notified twice.
            let dearer = Self.parcel(reward: 2_00)
            _ = try await fixture.carrepsa.packages.edit(id, dearer, by: Change(actor: people[0]))
            try await fixture.carrepsa.housekeeping.run()
            #expect(try await fixture.database.notices().filter { $0.kind == "packageOnTrip" }.count == 2)
        }
    }

    @Test("The search finds what a comparison with every package finds", arguments: Engine.allCases)
    func reference(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let people = try await fixture.people(1)
            let dice = SeededRandom(seed: 11)
            let all = try await fill(fixture, owner: people[0].person, Counts.detourPackages, dice)
            var found = 0
            var compared = 0
            for number in 0..<Counts.detourTrips {
                let trip = try randomTrip(number, dice, fixture)
                // Some trips lead around half the Earth.
                guard (try? DetourPairs(DetourArea(trip))) != nil else { continue }
                compared += 1
                let best = try await fixture.database.read { tx in
                    try DetourSearch(trip: trip, now: fixture.now).best(Limits.tripMatches, in: tx)
                }
                let expected = Self.reference(trip, all)
                #expect(best == expected, "trip \(number): \(best.count) and \(expected.count)")
                found += expected.count
            }
            #expect(found > 0 && compared >= Counts.detourTrips / 3)
        }
    }

    // MARK: Random packages and trips

    /// A number from 0 to below 1.
    private static func fraction(_ dice: SeededRandom) -> Double { Double(dice.uint64() % 1_000_000) / 1_000_000 }

    /// Returns a point in central Europe; in some cases at the antimeridian or near a pole.
    private static func place(_ dice: SeededRandom) throws -> Coordinate {
        let (north, east) = (fraction(dice), fraction(dice))
        let kind = dice.uint64() % 10
        let (latitude, longitude) =
            switch kind {
            case 0: (-17 + north, east < 0.5 ? 179 + east * 2 : -181 + east * 2)
            case 1: (88 + north * 2, east * 360 - 180)
            default: (47 + north * 7, 6 + east * 9)
            }
        return try #require(Coordinate(latitude: latitude, longitude: longitude))
    }

    private func fill(
        _ fixture: CarrepsaFixture, owner: PersonID, _ count: Int, _ dice: SeededRandom
    ) async throws -> [StoredPackage] {
        var all: [StoredPackage] = []
        let from = try PlaceName("A")
        let draft = try PackageDraft(CarrepsaFixture.parcel(), now: fixture.now)
        for start in stride(from: 0, to: count, by: 5_000) {
            let size = min(5_000, count - start)
            var part: [StoredPackage] = []
            for _ in 0..<size {
                var package = StoredPackage(
                    draft, id: ID(at: fixture.now, random: fixture.random), owner: owner, now: fixture.now)
                let origin = try Self.place(dice)
                package.route.origin.area = origin
                // Half of the packages stay within about 30 kilometres.
                package.route.destination.area =
                    dice.uint64() % 2 == 0
                    ? try Self.place(dice)
                    : Coordinate(
                        latitude: min(90, origin.latitude + (Self.fraction(dice) - 0.5) / 2),
                        longitude: max(-180, min(180, origin.longitude + (Self.fraction(dice) - 0.5) / 2)))
                package.route.size = [nil, .bag, .boot][Int(dice.uint64() % 3)]
                package.reward = Int64(1_00 + dice.uint64() % 50_00)
                part.append(package)
            }
            let made = part
            try await fixture.database.write { tx in
                for package in made {
                    let entry = PackageHistoryRow(package, "post", role: .owner, by: owner, note: nil, now: fixture.now)
                    try PackageStore.insert(package, from: from, to: from, history: entry, in: tx)
                }
            }
            all += part
        }
        return all
    }

    private func randomTrip(_ number: Int, _ dice: SeededRandom, _ fixture: CarrepsaFixture) throws -> Trip {
        let start = try Self.place(dice)
        var end = try Self.place(dice)
        if number % 3 == 0 { end = Coordinate(latitude: start.latitude - 0.2, longitude: start.longitude) ?? end }
        if number % 7 == 0 { end = start }
        return Trip(
            TripTerms(
                from: "A", to: "B", start: start, end: end, days: [],
                detourMetres: [1_000, 10_000, 50_000, 300_000][Int(dice.uint64() % 4)],
                size: number % 2 == 0 ? nil : .backpack),
            id: ID(at: fixture.now, random: dice), person: PersonID(at: fixture.now, random: dice), now: fixture.now)
    }

    /// Compares a trip with every package.
    private static func reference(_ trip: Trip, _ all: [StoredPackage]) -> [DetourSearch.Candidate] {
        let fitting = all.filter { package in
            package.route.size.map { size in trip.size == nil || size == .bag || trip.size == size } ?? true
        }
        let candidates = fitting.compactMap { package -> DetourSearch.Candidate? in
            guard let origin = package.route.origin.area, let destination = package.route.destination.area else {
                return nil
            }
            let extra =
                trip.start.distanceMetres(to: origin) + origin.distanceMetres(to: destination)
                + destination.distanceMetres(to: trip.end) - trip.start.distanceMetres(to: trip.end)
            guard extra <= Double(trip.detourMetres) else { return nil }
            return DetourSearch.Candidate(id: package.id, extraMetres: extra, reward: package.reward)
        }
        let sorted = candidates.sorted { one, other in
            if one.rewardPerKilometre != other.rewardPerKilometre {
                return one.rewardPerKilometre > other.rewardPerKilometre
            }
            if one.extraMetres != other.extraMetres { return one.extraMetres < other.extraMetres }
            return one.id < other.id
        }
        return Array(sorted.prefix(Limits.tripMatches))
    }
}
