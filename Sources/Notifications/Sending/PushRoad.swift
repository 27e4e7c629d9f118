import AsyncHTTPClient
import Foundation
import Kernel
import NIOCore
import NIOHTTP1

/// A message on its way to a push service (RFC 8030, 5).
package struct PushRequest: Sendable {
    /// Where the push service takes it; checked against the list of hosts.
    package let endpoint: String
    /// Everything beside `Content-Length`.
    package let headers: [(name: String, value: String)]
    /// Encrypted.
    package let body: [UInt8]
}

/// What a push service answered.
package struct PushReply: Sendable, Equatable {
    /// The HTTP status.
    package let status: Int
    /// The `Retry-After` header, as it came.
    package let retryAfter: String?

    /// Makes a reply.
    package init(status: Int, retryAfter: String? = nil) {
        self.status = status
        self.retryAfter = retryAfter
    }
}

/// Why there is no answer.
package enum PushRoadFailure: Error, Hashable, Sendable {
    /// None in time; says why.
    case unreachable(String)
    /// The host's name leads into a private network.
    case notPublic
}

/// The road to push services.
package protocol PushRoad: Sendable {
    /// Hands a message over. Redirects are not followed: they come back as they are.
    /// - Throws: ``PushRoadFailure``.
    func send(_ request: PushRequest) async throws(PushRoadFailure) -> PushReply
}

/// The road over HTTP. Names are looked up first, and a connection is made to none but public addresses: what a name
/// leads to must not be a way into the operator's own network.
package struct HTTPPushRoad: PushRoad {
    private static let addressesTried = 2
    /// For trials: where all messages go instead, `http://127.0.0.1:9000`.
    private let rewrite: String?
    private let lookUp: @Sendable (String) async -> [String]

    /// Makes the road.
    /// - Parameter rewrite: for trials on one computer: the origin that stands in for every push service.
    package init(rewrite: String? = nil) { self.init(rewrite: rewrite, lookUp: Self.addresses) }

    /// - Parameter lookUp: the numeric addresses of a name.
    init(rewrite: String? = nil, lookUp: @escaping @Sendable (String) async -> [String]) {
        self.rewrite = rewrite
        self.lookUp = lookUp
    }

    /// Hands a message over.
    package func send(_ request: PushRequest) async throws(PushRoadFailure) -> PushReply {
        guard let parts = PushHosts.parts(request.endpoint) else { throw .unreachable("address") }
        if let rewrite { return try await send(request, to: rewrite + parts.path, at: nil) }
        let found = await lookUp(parts.host)
        guard !found.isEmpty else { throw .unreachable("name") }
        let addresses = found.filter(PublicAddress.isPublic)
        guard !addresses.isEmpty else { throw .notPublic }
        var failure = PushRoadFailure.unreachable("name")
        for address in addresses.prefix(Self.addressesTried) {
            do throws(PushRoadFailure) {
                return try await send(request, to: parts.origin + parts.path, at: (parts.host, address))
            } catch {
                failure = error
            }
        }
        throw failure
    }

    private func send(
        _ request: PushRequest, to url: String, at address: (host: String, address: String)?
    ) async throws(PushRoadFailure) -> PushReply {
        var configuration = HTTPClient.Configuration()
        configuration.redirectConfiguration = .disallow
        configuration.decompression = .disabled
        configuration.timeout = .init(
            connect: .seconds(Limits.pushConnectSeconds), read: .seconds(Limits.pushSeconds)
        )
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
        // Nothing in it matters; a service that says too much has answered all the same.
        _ = try? await response.body.collect(upTo: Limits.pushAnswerBytes)
        return PushReply(
            status: Int(response.status.code), retryAfter: response.headers.first(name: "Retry-After")
        )
    }

    /// What a name leads to, IPv4 first: without a race of both, a missing IPv6 route would cost each message its
    /// time-out. The system's call waits, so it does that on a thread of its own.
    @Sendable private static func addresses(of host: String) async -> [String] {
        await withCheckedContinuation { waiting in
            DispatchQueue.global(qos: .utility).async { waiting.resume(returning: systemAddresses(of: host)) }
        }
    }

    private static func systemAddresses(of host: String) -> [String] {
        var hints = addrinfo()
        hints.ai_family = AF_UNSPEC
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var first: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, "443", &hints, &first) == 0 else { return [] }
        defer { freeaddrinfo(first) }
        var four: [String] = []
        var six: [String] = []
        var next = first
        while let entry = next {
            var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
            let result = getnameinfo(
                entry.pointee.ai_addr, entry.pointee.ai_addrlen, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST
            )
            if result == 0 {
                let address = String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
                if entry.pointee.ai_family == AF_INET { four.append(address) } else { six.append(address) }
            }
            next = entry.pointee.ai_next
        }
        return four + six
    }
}
