package import Kernel

/// A client of Nominatim (nominatim.org/release-docs/latest/api/Reverse and …/Search), and of services with the same
/// interface. It sends at most one request a second, as Nominatim's usage policy asks
/// (operations.osmfoundation.org/policies/nominatim).
package struct NominatimClient: Geocoder {
    /// The detail of a street.
    private static let zoom = 17

    /// The URL without `/reverse` and `/search`.
    private let url: String
    private let site: String
    private let spacing = RequestSpacing(.seconds(Limits.geocoderSpacingSeconds))

    /// Creates a client.
    /// - Parameters:
    ///   - url: the URL without `/reverse` and `/search`.
    ///   - site: the server's own URL, which the usage policy asks for.
    package init(url: String, site: String) {
        self.url = url
        self.site = site
    }

    /// Returns the nearest address, once the request's turn has come.
    package func address(of position: Coordinate) async throws -> String? {
        try await spacing.wait(atMost: nil)
        let query =
            "format=jsonv2&zoom=\(Self.zoom)&addressdetails=1&lat=\(position.latitude)&lon=\(position.longitude)"
        return try Self.address(try await response("/reverse?\(query)"))
    }

    /// Returns the places that match the text, in the service's order.
    package func places(_ text: String, language: String) async throws -> [FoundPlace] {
        try await spacing.wait(atMost: .seconds(Limits.geocoderWaitSeconds))
        let encodedText = PercentEncoding.encoded(text)
        let encodedLanguage = PercentEncoding.encoded(language)
        let query = "format=jsonv2&limit=\(Limits.placesFound)&accept-language=\(encodedLanguage)&q=\(encodedText)"
        return try Self.places(try await response("/search?\(query)"))
    }

    private func response(_ path: String) async throws -> [UInt8] {
        try await MapServiceRequest(
            url: url + path, site: site, seconds: Limits.geocoderSeconds, maximumBytes: Limits.geocoderBytes
        ).response()
    }

    /// Returns the street and the town of a response; `nil` for `{"error": "Unable to geocode"}`.
    /// - Throws: ``MapServiceRequest/Failure/unreadable``.
    static func address(_ json: [UInt8]) throws -> String? {
        let answer = try MapServiceRequest.decoded(Address.self, json)
        if answer.error != nil { return nil }
        let parts = answer.address ?? [:]
        let street = ["road", "pedestrian", "footway", "cycleway", "path", "square", "neighbourhood"]
            .lazy.compactMap { parts[$0] }.first
        let town = ["city", "town", "village", "municipality", "hamlet", "county"].lazy.compactMap { parts[$0] }.first
        let text = [street, town].compactMap(\.self).joined(separator: ", ")
        return text.isEmpty ? answer.displayName : text
    }

    /// Returns the places of a response, without those that have no name or aren't on the Earth.
    /// - Throws: ``MapServiceRequest/Failure/unreadable``.
    static func places(_ json: [UInt8]) throws -> [FoundPlace] {
        try MapServiceRequest.decoded([Place].self, json).prefix(Limits.placesFound).compactMap { place in
            guard let latitude = Double(place.lat), let longitude = Double(place.lon),
                let point = Coordinate(latitude: latitude, longitude: longitude), let name = place.displayName,
                !name.isEmpty
            else { return nil }
            return FoundPlace(name: String(name.prefix(Limits.foundPlaceCharacters)), point: point)
        }
    }

    private struct Address: Decodable {
        let error: String?
        let displayName: String?
        let address: [String: String]?

        private enum CodingKeys: String, CodingKey {
            case error
            case displayName = "display_name"
            case address
        }
    }

    private struct Place: Decodable {
        /// Degrees, as text.
        let lat: String
        let lon: String
        let displayName: String?

        private enum CodingKeys: String, CodingKey {
            case lat, lon
            case displayName = "display_name"
        }
    }
}
