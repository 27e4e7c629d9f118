import Accounts
import Foundation
import Kernel
import Storage
import TestSupport
import Testing

@testable import Carrepsa

@Suite("Places of packages")
struct PlacesTests {
    private static let home = (latitude: 53.865_467, longitude: 10.686_559)

    private static func input(
        latitude: Double = Self.home.latitude, longitude: Double = Self.home.longitude
    ) -> PackageInput {
        var input = CarrepsaFixture.parcel(reward: 1)
        input.origin = PackageEndInput(latitude: latitude, longitude: longitude, openingTimes: "after 17:00")
        input.destination = PackageEndInput(latitude: 54.323_3, longitude: 10.122_8)
        input.size = .backpack
        return input
    }

    @Test("Only the owner and the present carrier see the exact points", arguments: Engine.allCases)
    func parties(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let people = try await fixture.people(3)
            let (ada, ben, cleo) = (people[0], people[1], people[2])
            let packages = fixture.carrepsa.packages
            let posted = try await packages.create(Self.input(), by: Change(actor: ada)).package
            #expect(posted.route.origin.point?.latitude == Self.home.latitude)
            let id = posted.id
            func points(_ actor: Actor) async throws -> [Coordinate?] {
                let route = try await packages.details(of: id, for: actor).package.route
                return [route.origin.point, route.destination.point]
            }
            let offered = try await packages.details(of: id, for: ben).package.route
            #expect(offered.origin.point == nil && offered.destination.point == nil)
            #expect(offered.origin.area != nil && offered.destination.area != nil)
            #expect(offered.size == .backpack && offered.origin.openingTimes == "after 17:00")
            for actor in [ada, ben] {
                let listed = try await packages.list(.offers, for: actor, after: nil, limit: 10).items
                #expect(listed.map { $0.route.origin.point == nil } == [actor.person != ada.person])
            }
            let accepted = try await fixture.carrepsa.acceptances.accept(id, by: Change(actor: ben)).package
            #expect(accepted.route.origin.point == posted.route.origin.point)
            #expect(try await points(ben) == [posted.route.origin.point, posted.route.destination.point])
            let left = try await fixture.carrepsa.acceptances.cancel(id, by: Change(actor: ben)).package
            #expect(left.route.origin.point == nil)
            #expect(try await points(ben) == [nil, nil])
            _ = try await fixture.carrepsa.acceptances.accept(id, by: Change(actor: cleo))
            #expect(try await points(cleo) == [posted.route.origin.point, posted.route.destination.point])
        }
    }

    @Test("A package without points is posted as before", arguments: Engine.allCases)
    func withoutPoints(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person("Ada")
            let id = try await fixture.post(by: ada)
            #expect(try await fixture.stored(id)?.route == .unknown)
            #expect(try await fixture.count("carrepsa_area") == 0)
        }
    }

    @Test("Half a point and a point beyond the Earth are refused at their fields")
    func incomplete() {
        var input = CarrepsaFixture.parcel()
        input.origin = PackageEndInput(latitude: 53)
        input.destination = PackageEndInput(latitude: 91, longitude: 10)
        let error = #expect(throws: AppError.self) { _ = try PackageDraft(input, now: TestClock().now) }
        #expect(error.map { Set($0.fields.keys) } == ["fromLongitude", "toLatitude"])
    }

    @Test("Each circle contains its point, everywhere on Earth", arguments: [Engine.sqlite])
    func contained(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let areas = HiddenAreas(secrets: fixture.secrets)
            for _ in 0..<2_000 {
                let latitude = Double(fixture.random.uint64() % 178_000) / 1_000 - 89
                let longitude = Double(fixture.random.uint64() % 360_000) / 1_000 - 180
                let point = try #require(Coordinate(latitude: latitude, longitude: longitude))
                let centre = areas.centre(for: point, of: PersonID(at: fixture.now, random: fixture.random))
                let distance = centre.distanceMetres(to: point)
                #expect(distance <= Double(Limits.placeAreaMetres) - 150, "\(latitude) \(longitude)")
            }
        }
    }

    @Test("A thousand repostings from about the same place show one circle, which tells it no better than 500 m")
    func averaging() async throws {
        try await withFixture(.sqlite) { fixture in
            let areas = HiddenAreas(secrets: fixture.secrets)
            var errors: [Double] = []
            for number in 0..<40 {
                let owner = try await fixture.person("Person \(number)").person
                let home = try #require(
                    Coordinate(latitude: 48 + Double(number) / 7, longitude: 9 + Double(number) / 11))
                let random = fixture.random
                let now = fixture.now
                let circles = try await fixture.database.write { tx in
                    try (0..<1_000).map { _ in
                        // Typed by hand or measured by a phone: within 60 metres.
                        func shift(_ degrees: Double) -> Double {
                            degrees + (Double(random.uint64() % 1_000) / 1_000 - 0.5) * 0.000_8
                        }
                        var route = PackageRoute()
                        route.origin.point = Coordinate(
                            latitude: shift(home.latitude), longitude: shift(home.longitude))
                        return try areas.placed(route, of: owner, now: now, in: tx).origin.area
                    }
                }
                #expect(Set(circles).count == 1)
                let seen = circles.compactMap(\.self)
                let mean = try #require(
                    Coordinate(
                        latitude: seen.map(\.latitude).reduce(0, +) / Double(seen.count),
                        longitude: seen.map(\.longitude).reduce(0, +) / Double(seen.count)))
                errors.append(mean.distanceMetres(to: home))
            }
            let median = errors.sorted()[errors.count / 2]
            #expect(median >= 500, "\(median)")
        }
    }

    @Test("A place at the antimeridian has one circle on both sides", arguments: Engine.allCases)
    func antimeridian(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let areas = HiddenAreas(secrets: fixture.secrets)
            let owner = try await fixture.person("Ada").person
            let now = fixture.now
            // 21 metres from each other, and once more.
            let circles = try await fixture.database.write { tx in
                try [179.999_9, -179.999_9, 179.999_9].map { longitude in
                    var route = PackageRoute()
                    route.origin.point = Coordinate(latitude: -17, longitude: longitude)
                    return try areas.placed(route, of: owner, now: now, in: tx).origin.area
                }
            }
            #expect(Set(circles).count == 1 && circles[0] != nil)
            #expect(try await fixture.count("carrepsa_area") == 1)
        }
    }

    @Test("An account has a limited number of circles, and an error at the point after that")
    func areaLimit() async throws {
        try await withFixture(.sqlite) { fixture in
            let areas = HiddenAreas(secrets: fixture.secrets)
            let owner = try await fixture.person("Ada").person
            let now = fixture.now
            let home = try #require(Coordinate(latitude: Self.home.latitude, longitude: Self.home.longitude))
            let centres = try (0..<Limits.placeAreasPerAccount).map { number in
                try #require(Coordinate(latitude: -60, longitude: Double(number) / 10))
            }
            try await fixture.database.write { tx in
                for centre in centres { try HiddenAreaStore.insert(centre, of: owner, now: now, in: tx) }
            }
            let error = await refusal {
                try await fixture.database.write { tx in
                    var route = PackageRoute()
                    route.origin.point = home
                    _ = try areas.placed(route, of: owner, now: now, in: tx)
                }
            }
            #expect(error.map { Set($0.fields.keys) } == ["fromLatitude"])
        }
    }

    @Test("Housekeeping erases the points of packages without an owner", arguments: Engine.allCases)
    func ownerless(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let people = try await fixture.people(2)
            let id = try await fixture.carrepsa.packages.create(Self.input(), by: Change(actor: people[0])).package.id
            _ = try await fixture.carrepsa.acceptances.accept(id, by: Change(actor: people[1]))
            _ = try await fixture.carrepsa.handovers.confirmPickup(id, code: nil, by: Change(actor: people[0]))
            _ = try await fixture.carrepsa.handovers.confirmDelivery(id, code: nil, by: Change(actor: people[0]))
            try await fixture.carrepsa.housekeeping.run()
            #expect(try await fixture.stored(id)?.route.origin.point != nil)
            // As a server of an earlier version deletes an account.
            try await fixture.database.write { tx in
                try tx.execute("UPDATE carrepsa_package SET owner_id = NULL WHERE id = \(id)")
            }
            try await fixture.carrepsa.housekeeping.run()
            let route = try #require(try await fixture.stored(id)).route
            #expect(route.origin.point == nil && route.destination.point == nil)
            #expect(route.origin.openingTimes == nil && route.origin.area != nil)
        }
    }

    @Test("Different people at one place have different circles, which don't depend on the order of their posts")
    func perOwner() async throws {
        try await withFixture(.sqlite) { fixture in
            let areas = HiddenAreas(secrets: fixture.secrets)
            let point = try #require(Coordinate(latitude: Self.home.latitude, longitude: Self.home.longitude))
            let owners = (0..<50).map { _ in PersonID(at: fixture.now, random: fixture.random) }
            let centres = owners.map { areas.centre(for: point, of: $0) }
            #expect(Set(centres).count == owners.count)
            #expect(owners.map { areas.centre(for: point, of: $0) } == centres)
        }
    }

    @Test("Erasing an account erases its exact points from the deliveries of others", arguments: Engine.allCases)
    func erased(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let people = try await fixture.people(2)
            let id = try await fixture.carrepsa.packages.create(Self.input(), by: Change(actor: people[0])).package.id
            _ = try await fixture.carrepsa.acceptances.accept(id, by: Change(actor: people[1]))
            _ = try await fixture.carrepsa.handovers.confirmPickup(id, code: nil, by: Change(actor: people[0]))
            _ = try await fixture.carrepsa.handovers.confirmDelivery(id, code: nil, by: Change(actor: people[0]))
            try await fixture.database.write { tx in try PackageStore.forget(people[0].person, in: tx) }
            let route = try #require(try await fixture.stored(id)).route
            #expect(route.origin.point == nil && route.destination.point == nil)
            #expect(route.origin.openingTimes == nil)
        }
    }
}

@Suite("Editing an offer")
struct OfferEditTests {
    private func edit(
        _ id: ID<Package>, reward: Int64, by actor: Actor, version: Int64? = nil, _ fixture: CarrepsaFixture
    ) async throws -> Package {
        var input = CarrepsaFixture.parcel(reward: reward, moneyLock: 30_00)
        input.title = "Two boxes"
        let change = Change(actor: actor, ifVersion: version)
        return try await fixture.carrepsa.packages.edit(id, input, by: change).package
    }

    @Test("One transfer holds or returns the difference of the rewards", arguments: Engine.allCases)
    func difference(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.people(1)[0]
            let id = try await fixture.post(by: ada, reward: 5_00)
            let transfers = try await fixture.count("ledger_transfer")
            let dearer = try await edit(id, reward: 8_00, by: ada, fixture)
            #expect(dearer.title == "Two boxes" && dearer.reward == 8_00 && dearer.moneyLock == 30_00)
            #expect(dearer.version == 2)
            #expect(try await fixture.balance(ada) == 92_00)
            _ = try await edit(id, reward: 2_00, by: ada, fixture)
            #expect(try await fixture.balance(ada) == 98_00)
            #expect(try await fixture.count("ledger_transfer") == transfers + 2)
            _ = try await edit(id, reward: 2_00, by: ada, fixture)
            #expect(try await fixture.count("ledger_transfer") == transfers + 2)
            let kinds = try await fixture.carrepsa.wallets.entries(of: ada, after: nil, limit: 3).items.map(\.kind)
            #expect(kinds == [.rewardLowered, .rewardHeld, .rewardHeld])
            let error = await refusal { _ = try await edit(id, reward: 101_00, by: ada, fixture) }
            #expect(error?.code == .insufficientFunds && error?.fields["reward"] != nil)
            #expect(try await fixture.stored(id)?.reward == 2_00)
            try await fixture.checkMoney()
        }
    }

    @Test("A lapsed offer is offered again with its whole reward", arguments: Engine.allCases)
    func lapsed(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.people(1)[0]
            let id = try await fixture.post(by: ada, reward: 5_00, deadline: fixture.now.adding(seconds: 60))
            fixture.clock.advance(seconds: 120)
            #expect(try await fixture.balance(ada) == 100_00)
            let again = try await edit(id, reward: 4_00, by: ada, fixture)
            #expect(again.isRewardHeld && !again.isLapsed(fixture.now))
            #expect(try await fixture.balance(ada) == 96_00)
            try await fixture.checkMoney()
        }
    }

    @Test("A person changes offers a limited number of times in an hour", arguments: Engine.allCases)
    func throttled(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.people(1)[0]
            let id = try await fixture.post(by: ada, reward: 5_00)
            for _ in 0..<Limits.offerEdits { _ = try await edit(id, reward: 2_00, by: ada, fixture) }
            let error = await refusal { _ = try await edit(id, reward: 1_00, by: ada, fixture) }
            #expect(error?.code == .throttled)
            #expect(try await fixture.stored(id)?.reward == 2_00)
            fixture.clock.advance(seconds: Limits.offerEditSeconds)
            _ = try await edit(id, reward: 1_00, by: ada, fixture)
            try await fixture.checkMoney()
        }
    }

    @Test("After the acceptance, and by others, nothing is changed", arguments: Engine.allCases)
    func refused(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let people = try await fixture.people(3)
            let id = try await fixture.post(by: people[0])
            let foreign = await refusal { _ = try await edit(id, reward: 1_00, by: people[2], fixture) }
            #expect(foreign?.code == .forbidden)
            _ = try await fixture.carrepsa.acceptances.accept(id, by: Change(actor: people[1]))
            let late = await refusal { _ = try await edit(id, reward: 1_00, by: people[0], fixture) }
            #expect(late?.code == .conflict)
            #expect(try await fixture.stored(id)?.reward == 5_00)
            try await fixture.checkMoney()
        }
    }

    @Test("A carrier who read the former terms can't accept the new ones unseen", arguments: Engine.allCases)
    func staleVersion(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let people = try await fixture.people(2)
            let id = try await fixture.post(by: people[0])
            let read = try await fixture.carrepsa.packages.details(of: id, for: people[1]).package.version
            _ = try await edit(id, reward: 1_00, by: people[0], version: read, fixture)
            let stale = Change(actor: people[1], ifVersion: read)
            let error = await refusal { _ = try await fixture.carrepsa.acceptances.accept(id, by: stale) }
            #expect(error?.code == .conflict)
            #expect(try await fixture.state(id) == .available)
            let fresh = Change(actor: people[1], ifVersion: read + 1)
            _ = try await fixture.carrepsa.acceptances.accept(id, by: fresh)
            #expect(try await fixture.balances(people[0], people[1]) == [99_00, 70_00])
        }
    }
}
