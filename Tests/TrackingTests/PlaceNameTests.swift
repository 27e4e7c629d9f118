import Accounts
import Kernel
import TestSupport
import Testing
import Translations

@testable import Tracking

@Suite("Names of positions")
struct PlaceNameTests {
    private static let home = JitteredDay.coordinate(0, 0)

    private func place(_ name: String, _ centre: Coordinate, radius: Int = 100) -> SafePlace {
        let now = Instant(millisecondsSince1970: 1_772_366_400_000)
        return SafePlace(
            id: ID(at: now, random: SeededRandom(seed: UInt64(radius))), name: name, centre: centre,
            radiusMetres: radius, version: 1, createdAt: now)
    }

    @Test(
        "A position near a safe place is described by distance and direction",
        arguments: [
            (0.0, 340.0, CompassDirection.north), (240, 240, .northEast), (340, 0, .east), (240, -240, .southEast),
            (0, -340, .south), (-240, -240, .southWest), (-340, 0, .west), (-240, 240, .northWest),
        ])
    func near(east: Double, north: Double, direction: CompassDirection) {
        let names = PlaceNames([place("Home", Self.home)])
        guard case .near("Home", let metres, let found) = names.description(of: JitteredDay.coordinate(east, north))
        else {
            Issue.record("not near")
            return
        }
        #expect(found == direction)
        #expect(abs(metres - 340) < 2)
    }

    @Test("Of several safe places around a position, the smallest one names it")
    func inside() {
        let names = PlaceNames([place("Town", Self.home, radius: 5_000), place("Home", Self.home)])
        #expect(names.description(of: Self.home) == .inside(name: "Home"))
        #expect(names.description(of: JitteredDay.coordinate(0, 340)) == .inside(name: "Town"))
    }

    @Test("The nearest safe place within five kilometres names a position; beyond it, only degrees do")
    func far() {
        let names = PlaceNames([place("Home", Self.home), place("Work", JitteredDay.coordinate(0, 3_000))])
        guard case .near("Work", _, .south) = names.description(of: JitteredDay.coordinate(0, 2_000)) else {
            Issue.record("not near Work")
            return
        }
        let away = JitteredDay.coordinate(0, 8_001)
        #expect(names.description(of: away) == .coordinates(away))
        #expect(PlaceNames([]).description(of: Self.home) == .coordinates(Self.home))
    }

    @Test("Directions across the antimeridian and at the poles are right")
    func edges() throws {
        let west = try #require(Coordinate(latitude: 0, longitude: 179.999))
        let east = try #require(Coordinate(latitude: 0, longitude: -179.999))
        #expect(CompassDirection(from: west, to: east) == .east)
        #expect(CompassDirection(from: east, to: west) == .west)
        let pole = try #require(Coordinate(latitude: 90, longitude: 0))
        #expect(CompassDirection(from: pole, to: Self.home) == .south || pole == Self.home)
    }

    @Test("The list, the details and the alert have the name of the last position", arguments: Engine.allCases)
    func overview(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let (item, secret) = try await fixture.tracked(of: ada)
            _ = try await fixture.tracking.safePlaces.create(
                SafePlaceInput(name: "Home", latitude: Self.home.latitude, longitude: Self.home.longitude),
                by: Change(actor: ada))
            let away = JitteredDay.coordinate(0, 340)
            try await fixture.osmand(secret, away.latitude, away.longitude)
            let overview = try await fixture.tracking.items.item(item, for: ada)
            guard case .near("Home", _, .north) = overview.place else {
                Issue.record("\(String(describing: overview.place))")
                return
            }
            let details = try await fixture.tracking.itemDetails.details(of: item, for: ada, fixes: 5)
            #expect(details.names.description(of: Self.home) == .inside(name: "Home"))
        }
    }
}
