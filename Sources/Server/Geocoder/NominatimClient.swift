import AsyncHTTPClient
import Foundation
import Kernel
import NIOCore
import NIOHTTP1
import Tracking

/// A client of Nominatim's reverse geocoding (nominatim.org/release-docs/latest/api/Reverse), and of services with the
/// same interface.
struct NominatimClient: Geocoder {
    /// The detail of a street.
    private static let zoom = 17

    enum Failure: Error {
        case status(Int)
        case unreadable
    }

    /// The URL without `/reverse`.
    let url: String
    /// The server's own URL, which the usage policy asks for.
    let site: String

    func address(of position: Coordinate) async throws -> String? {
        var configuration = HTTPClient.Configuration()
        configuration.redirectConfiguration = .disallow
        configuration.decompression = .disabled
        return try await HTTPClient.withHTTPClient(configuration: configuration) { client in
            var request = HTTPClientRequest(
                url: "\(url)/reverse?format=jsonv2&zoom=\(Self.zoom)&addressdetails=1&lat=\(position.latitude)"
                    + "&lon=\(position.longitude)")
            request.headers.add(name: "User-Agent", value: "homeward (\(site))")
            let response = try await client.execute(request, timeout: .seconds(Limits.geocoderSeconds))
            guard response.status == .ok else { throw Failure.status(Int(response.status.code)) }
            let bytes = try await response.body.collect(upTo: Limits.geocoderBytes)
            return try Self.address(Array(bytes.readableBytesView))
        }
    }

    /// Returns the street and the town of a response; `nil` for `{"error": "Unable to geocode"}`.
    /// - Throws: ``Failure/unreadable``.
    static func address(_ json: [UInt8]) throws -> String? {
        guard let answer = try? JSONDecoder().decode(Answer.self, from: Data(json)) else { throw Failure.unreadable }
        if answer.error != nil { return nil }
        let parts = answer.address ?? [:]
        let street = ["road", "pedestrian", "footway", "cycleway", "path", "square", "neighbourhood"]
            .lazy.compactMap { parts[$0] }.first
        let town = ["city", "town", "village", "municipality", "hamlet", "county"].lazy.compactMap { parts[$0] }.first
        let text = [street, town].compactMap(\.self).joined(separator: ", ")
        return text.isEmpty ? answer.displayName : text
    }

    private struct Answer: Decodable {
        let error: String?
        let displayName: String?
        let address: [String: String]?

        private enum CodingKeys: String, CodingKey {
            case error
            case displayName = "display_name"
            case address
        }
    }
}
