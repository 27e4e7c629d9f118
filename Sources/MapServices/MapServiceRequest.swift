import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1

/// A GET request to a map service.
struct MapServiceRequest {
    enum Failure: Error {
        case status(Int)
        case unreadable
    }

    let url: String
    /// The server's own URL, which usage policies ask for.
    let site: String
    let seconds: Int64
    let maximumBytes: Int

    /// - Throws: ``Failure/status(_:)``; errors of the network.
    func response() async throws -> [UInt8] {
        var configuration = HTTPClient.Configuration()
        configuration.redirectConfiguration = .disallow
        configuration.decompression = .disabled
        return try await HTTPClient.withHTTPClient(configuration: configuration) { client in
            var request = HTTPClientRequest(url: url)
            request.headers.add(name: "User-Agent", value: "homeward (\(site))")
            let response = try await client.execute(request, timeout: .seconds(seconds))
            guard response.status == .ok else { throw Failure.status(Int(response.status.code)) }
            let bytes = try await response.body.collect(upTo: maximumBytes)
            return Array(bytes.readableBytesView)
        }
    }

    /// - Throws: ``Failure/unreadable``.
    static func decoded<T: Decodable>(_ type: T.Type, _ json: [UInt8]) throws -> T {
        guard let value = try? JSONDecoder().decode(type, from: Data(json)) else { throw Failure.unreadable }
        return value
    }
}
