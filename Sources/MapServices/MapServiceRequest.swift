import AsyncHTTPClient
import Kernel
import NIOCore
import NIOHTTP1

/// A GET request to a map service.
struct MapServiceRequest {
    enum Failure: Error, CustomStringConvertible {
        case status(Int)
        case unreadable
        case late

        var description: String {
            switch self {
            case .status(let code): "status \(code)"
            case .unreadable: "the response can't be understood"
            case .late: "no response in time"
            }
        }
    }

    let url: String
    /// The server's own URL, which usage policies ask for.
    let site: String
    /// For the whole response.
    let seconds: Int64
    let maximumBytes: Int

    /// - Throws: ``Failure/late``, ``Failure/status(_:)``; ``MapServiceRefusal``; errors of the network.
    func response() async throws -> [UInt8] {
        // The client's own time limit ends with the head of the response.
        try await withThrowingTaskGroup(of: [UInt8].self) { group in
            group.addTask { try await load() }
            group.addTask {
                try await Task.sleep(for: .seconds(seconds))
                throw Failure.late
            }
            defer { group.cancelAll() }
            guard let first = try await group.next() else { throw Failure.late }
            return first
        }
    }

    private func load() async throws -> [UInt8] {
        var configuration = HTTPClient.Configuration()
        configuration.timeout = .init(connect: .seconds(seconds), read: .seconds(seconds))
        configuration.redirectConfiguration = .disallow
        configuration.decompression = .disabled
        // A person is waiting, and can try again.
        configuration.connectionPool.retryConnectionEstablishment = false
        return try await HTTPClient.withHTTPClient(configuration: configuration) { client in
            var request = HTTPClientRequest(url: url)
            request.headers.add(name: "User-Agent", value: "homeward (\(site))")
            let response = try await client.execute(request, timeout: .seconds(seconds))
            guard response.status != .badRequest else { throw MapServiceRefusal() }
            guard response.status == .ok else { throw Failure.status(Int(response.status.code)) }
            let bytes = try await response.body.collect(upTo: maximumBytes)
            return Array(bytes.readableBytesView)
        }
    }

    /// - Throws: ``Failure/unreadable``.
    static func decoded<T: Decodable>(_ type: T.Type, _ json: [UInt8]) throws -> T {
        guard let value = JSONSyntax.decoded(type, json) else { throw Failure.unreadable }
        return value
    }
}
