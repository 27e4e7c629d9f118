import AsyncHTTPClient
import Foundation
import Kernel
import NIOCore
import NIOHTTP1

/// A request that delivers a message to a push service (RFC 8030, 5).
package struct PushRequest: Sendable {
    /// The URL of the subscription; its host is on the list of push services.
    package let endpoint: String
    /// All headers except `Content-Length`.
    package let headers: [(name: String, value: String)]
    package let body: [UInt8]
}

/// The response of a push service.
package struct PushReply: Sendable, Equatable {
    package let status: Int
    /// The `Retry-After` header, unparsed.
    package let retryAfter: String?

    package init(status: Int, retryAfter: String? = nil) {
        self.status = status
        self.retryAfter = retryAfter
    }
}

/// Thrown when a push service gives no response.
package enum PushTransportFailure: Error, Hashable, Sendable {
    /// No response in time; the value gives the reason.
    case unreachable(String)
    /// The host's name resolves only to addresses that aren't public.
    case notPublic
}

/// Transports messages to push services.
package protocol PushTransport: Sendable {
    /// Sends a message. Returns redirects as responses instead of following them.
    /// - Throws: ``PushTransportFailure``.
    func send(_ request: PushRequest) async throws(PushTransportFailure) -> PushReply
}

/// Sends messages over HTTP. Resolves host names itself and connects only to public addresses, so that a DNS entry
/// can't direct requests into the server's private network.
package struct HTTPPushTransport: PushTransport {
    private static let addressesTried = 2
    /// The origin that receives all messages in trials: `http://127.0.0.1:9000`.
    private let rewrite: String?
    private let lookUp: @Sendable (String) async -> [String]

    /// - Parameter rewrite: the origin that replaces every push service, for trials on one computer.
    package init(rewrite: String? = nil) { self.init(rewrite: rewrite, lookUp: HostAddresses.of) }

    /// - Parameter lookUp: resolves a name to numeric addresses.
    init(rewrite: String? = nil, lookUp: @escaping @Sendable (String) async -> [String]) {
        self.rewrite = rewrite
        self.lookUp = lookUp
    }

    /// Sends a message to one of the host's public addresses, or to the origin that replaces all push services.
    package func send(_ request: PushRequest) async throws(PushTransportFailure) -> PushReply {
        guard let parts = PushHosts.parts(request.endpoint) else { throw .unreachable("address") }
        if let rewrite { return try await send(request, to: rewrite + parts.path, at: nil) }
        let found = await lookUp(parts.host)
        guard !found.isEmpty else { throw .unreachable("name") }
        let addresses = found.filter(PublicAddress.isPublic)
        guard !addresses.isEmpty else { throw .notPublic }
        var failure = PushTransportFailure.unreachable("name")
        for address in addresses.prefix(Self.addressesTried) {
            do throws(PushTransportFailure) {
                return try await send(request, to: parts.origin + parts.path, at: (parts.host, address))
            } catch {
                failure = error
            }
        }
        throw failure
    }

    private func send(
        _ request: PushRequest, to url: String, at address: (host: String, address: String)?
    ) async throws(PushTransportFailure) -> PushReply {
        var configuration = HTTPClient.Configuration()
        configuration.redirectConfiguration = .disallow
        configuration.decompression = .disabled
        configuration.timeout = .init(
            connect: .seconds(Limits.pushConnectSeconds), read: .seconds(Limits.pushSeconds)
        )
        // The jobs retry.
        configuration.connectionPool.retryConnectionEstablishment = false
        if let address { configuration.dnsOverride = [address.host: address.address] }
        do {
            return try await HTTPClient.withHTTPClient(configuration: configuration) { client in
                try await Self.send(request, to: url, by: client)
            }
        } catch {
            throw .unreachable((error as? HTTPClientError)?.shortDescription ?? "\(type(of: error))")
        }
    }

    private static func send(_ request: PushRequest, to url: String, by client: HTTPClient) async throws -> PushReply {
        var outgoing = HTTPClientRequest(url: url)
        outgoing.method = .POST
        outgoing.headers.add(name: "User-Agent", value: "homeward")
        for header in request.headers { outgoing.headers.add(name: header.name, value: header.value) }
        outgoing.body = .bytes(request.body)
        let response = try await client.execute(outgoing, timeout: .seconds(Limits.pushSeconds))
        // The response's body is irrelevant; one that exceeds the limit isn't an error.
        _ = try? await response.body.collect(upTo: Limits.pushResponseBytes)
        return PushReply(
            status: Int(response.status.code), retryAfter: response.headers.first(name: "Retry-After")
        )
    }
}
