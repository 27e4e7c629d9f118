import Kernel
import Testing

@testable import MapServices

@Suite("Nominatim's responses")
struct NominatimClientTests {
    @Test("The street and the town are the address")
    func street() throws {
        let json =
            #"{"display_name":"1, Pontstraße, Aachen, Deutschland","address":{"road":"Pontstraße","city":"Aachen"}}"#
        #expect(try NominatimClient.address(Array(json.utf8)) == "Pontstraße, Aachen")
    }

    @Test("Without a street or town, the display name is the address")
    func displayName() throws {
        #expect(try NominatimClient.address(Array(#"{"display_name":"North Sea","address":{}}"#.utf8)) == "North Sea")
    }

    @Test("An error is no address, and anything else than JSON is a failure")
    func failures() throws {
        #expect(try NominatimClient.address(Array(#"{"error":"Unable to geocode"}"#.utf8)) == nil)
        #expect(throws: MapServiceRequest.Failure.self) { try NominatimClient.address(Array("<html>".utf8)) }
        #expect(throws: MapServiceRequest.Failure.self) { try NominatimClient.places(Array("{}".utf8)) }
    }

    @Test("Found places have a name and a point on the Earth, and are few")
    func places() throws {
        let one = #"{"lat":"50.7753","lon":"6.0839","display_name":"Pontstraße, Aachen"}"#
        let wrong =
            #"{"lat":"91","lon":"6","display_name":"Nowhere"},{"lat":"1","lon":"6","display_name":""},{"lat":"1","lon":"6"}"#
        let point = try #require(Coordinate(latitude: 50.7753, longitude: 6.0839))
        let found = try NominatimClient.places(Array("[\(wrong),\(one)]".utf8))
        #expect(found == [FoundPlace(name: "Pontstraße, Aachen", point: point)])
        let many = Array(repeating: one, count: 9).joined(separator: ",")
        #expect(try NominatimClient.places(Array("[\(many)]".utf8)).count == Limits.placesFound)
    }
}

@Suite("OSRM's tables")
struct OSRMClientTests {
    @Test("A table has the distances between all points, and none where no road leads")
    func table() throws {
        let json = #"{"code":"Ok","distances":[[0,1200.5],[null,0]],"sources":[]}"#
        #expect(try OSRMClient.distances(Array(json.utf8), count: 2) == [[0, 1200.5], [nil, 0]])
    }

    @Test(
        "A table of another size, an error and a table of durations are failures",
        arguments: [
            #"{"code":"Ok","distances":[[0]]}"#, #"{"code":"NoTable"}"#, #"{"code":"Ok","durations":[[0,1],[1,0]]}"#,
            #"{"code":"Ok","distances":[[0,1e300],[1,0]]}"#, #"{"code":"Ok","distances":[[0,-1],[1,0]]}"#,
        ])
    func failures(json: String) {
        #expect(throws: MapServiceRequest.Failure.self) { try OSRMClient.distances(Array(json.utf8), count: 2) }
    }
}

@Suite("Requests of map services")
struct RequestSpacingTests {
    @Test("A search that would wait too long is refused, and doesn't delay the next one")
    func busy() async throws {
        let spacing = RequestSpacing(.seconds(3_600))
        try await spacing.wait(atMost: .zero)
        for _ in 0..<2 {
            await #expect(throws: MapServiceBusy.self) { try await spacing.wait(atMost: .seconds(3_599 / 2)) }
        }
    }

    @Test("The latest results are kept, and old ones dropped")
    func recent() {
        let results = RecentResults<Int, String>(capacity: 4)
        for number in 0..<5 { results.insert("\(number)", for: number) }
        #expect(results[4] == "4" && results[2] == "2")
        #expect(results[0] == nil)
    }
}
