import Testing

@testable import Server

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
        #expect(throws: NominatimClient.Failure.self) { try NominatimClient.address(Array("<html>".utf8)) }
    }
}
