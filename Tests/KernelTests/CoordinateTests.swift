import Kernel
import Testing

@Suite("Coordinates")
struct CoordinateTests {
    @Test("The limits of latitude and longitude are valid coordinates")
    func edges() {
        for latitude in [-90.0, 0, 90] {
            for longitude in [-180.0, 0, 180] {
                #expect(Coordinate(latitude: latitude, longitude: longitude) != nil)
            }
        }
    }

    @Test(
        "Coordinates outside the valid range are rejected",
        arguments: [
            (91.0, 0.0), (-90.000_001, 0), (0, 180.000_001), (0, -181), (.nan, 0), (0, .nan), (.infinity, 0),
            (0, -.infinity),
        ]
    )
    func outside(latitude: Double, longitude: Double) {
        #expect(Coordinate(latitude: latitude, longitude: longitude) == nil)
    }

    struct Distance: Sendable {
        let from: (Double, Double)
        let to: (Double, Double)
        let metres: Double
    }

    // Computed separately with 50 digits from the same formula and radius.
    static let distances: [Distance] = [
        Distance(from: (52.52, 13.405), to: (52.52, 13.405), metres: 0),
        Distance(from: (0, 0), to: (0, 180), metres: 20_015_114.442),
        Distance(from: (90, 0), to: (-90, 0), metres: 20_015_114.442),
        Distance(from: (0, 179.5), to: (0, -179.5), metres: 111_195.080),
        Distance(from: (90, 17), to: (90, -120), metres: 0),
        Distance(from: (0, 0), to: (1, 0), metres: 111_195.080),
    ]

    @Test("Distances follow great circles", arguments: distances)
    func distance(case: Distance) throws {
        let from = try #require(Coordinate(latitude: `case`.from.0, longitude: `case`.from.1))
        let to = try #require(Coordinate(latitude: `case`.to.0, longitude: `case`.to.1))
        #expect(abs(from.distanceMetres(to: to) - `case`.metres) < 0.01)
        #expect(abs(to.distanceMetres(to: from) - `case`.metres) < 0.01)
    }

    @Test("Distances of a few metres are exact to a millimetre")
    func nearby() throws {
        let here = try #require(Coordinate(latitude: 52.52, longitude: 13.405))
        // A degree of latitude is 111,195.08 m on this sphere.
        let fiveMetres = try #require(Coordinate(latitude: 52.52 + 5 / 111_195.080, longitude: 13.405))
        #expect(abs(here.distanceMetres(to: fiveMetres) - 5) < 0.001)
    }
}
