import Kernel
import Testing

@testable import Tracking

@Suite("Areas of safe places")
struct SafeAreaTests {
    private static let metresPerDegree = 111_195.08

    private func place(_ east: Double, _ north: Double, longitude: Double = 0) throws -> Coordinate {
        let degrees = (longitude + east / Self.metresPerDegree).remainder(dividingBy: 360)
        return try #require(Coordinate(latitude: north / Self.metresPerDegree, longitude: degrees))
    }

    @Test("The distance to a polygon's border is negative inside", arguments: [0.0, 180])
    func distances(longitude: Double) throws {
        func at(_ east: Double, _ north: Double) throws -> Coordinate { try place(east, north, longitude: longitude) }
        let corners = [
            try at(-100, -100), try at(100, -100), try at(100, 0), try at(0, 0), try at(0, 100), try at(-100, 100),
        ]
        let (centre, radius) = try PlaceOutline.circle(around: corners)
        #expect(radius == 142)
        let area = SafeArea(centre: centre, radiusMetres: radius, outline: corners)
        for (east, north, distance) in [
            (-50.0, -50.0, -50.0), (-50, 50, -50), (50, 50, 50), (50, -50, -50), (0, -130, 30), (-160, 0, 60),
        ] {
            #expect(abs(area.borderDistanceMetres(to: try at(east, north)) - distance) < 0.5, "\(east) \(north)")
        }
        #expect(try area.contains(at(-50, 50)) && !area.contains(at(50, 50)))
        #expect(try area.mayContain(at(50, 50), within: 51) && !area.mayContain(at(50, 50), within: 49))
        #expect(try area.borderDistanceMetres(to: at(5_000, 0)) > 4_000)
    }

    @Test("Outlines are read with commas or spaces, and checked")
    func outlines() throws {
        #expect(try PlaceOutline.read(["1, 2\n 3,4 \n\n5 6"]).map(\.latitude) == [1, 3, 5])
        #expect(try PlaceOutline.read(["1,2", "3,4"]).count == 2)
        for (text, error) in [
            ("1", TrackingErrorMessage.outlineUnreadable), ("91,0", .outlineUnreadable), ("a,b", .outlineUnreadable),
            (String(repeating: "1,2\n", count: 51), .outlineSize),
        ] {
            #expect(throws: error) { _ = try PlaceOutline.read([text]) }
        }
        let square = [try place(0, 0), try place(100, 0), try place(100, 100), try place(0, 100)]
        #expect(throws: TrackingErrorMessage.outlineSize) {
            _ = try PlaceOutline.circle(around: Array(square.prefix(2)))
        }
        #expect(throws: TrackingErrorMessage.outlineSize) { _ = try PlaceOutline.circle(around: square + [square[0]]) }
        #expect(throws: TrackingErrorMessage.outlineCrosses) {
            _ = try PlaceOutline.circle(around: [square[0], square[2], square[1], square[3]])
        }
        #expect(throws: TrackingErrorMessage.outlineExtent) {
            _ = try PlaceOutline.circle(around: [square[0], try place(30_000, 0), try place(0, 30_000)])
        }
        #expect(throws: TrackingErrorMessage.outlineExtent) {
            _ = try PlaceOutline.circle(around: [square[0], try place(5, 0), try place(0, 5)])
        }
        for line in [[(0.0, 0.0), (100.0, 100.0), (200.0, 200.0)], [(0, 0), (1_000, 0), (2_000, 0.5)]] {
            #expect(throws: TrackingErrorMessage.outlineFlat) {
                _ = try PlaceOutline.circle(around: line.map { try place($0.0, $0.1) })
            }
        }
        #expect(try PlaceOutline.circle(around: square).radiusMetres == 71)
        let narrow = [try place(0, 0), try place(100, 0), try place(100, 4), try place(0, 4)]
        #expect(try PlaceOutline.circle(around: narrow).radiusMetres == 51)
    }
}
