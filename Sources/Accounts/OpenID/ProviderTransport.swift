import AsyncHTTPClient
import Foundation
import Kernel
import NIOCore
import NIOHTTP1

/// A request to a provider.
package struct ProviderRequest: Sendable {
    /// The URL, already validated.
    package let url: String
    /// The provider's issuer, which decides whether the URL may be on a private address.
    package let issuer: String
    /// The fields of a posted form. `nil` for GET.
    package let form: [(name: String, value: String)]?
    package let authorization: String?

    init(
        _ url: String, of issuer: String, form: [(name: String, value: String)]? = nil, authorization: String? = nil
    ) {
        self.url = url
        self.issuer = issuer
        self.form = form
        self.authorization = authorization
    }
}

/// The response of a provider.
package struct ProviderReply: Sendable {
    package let status: Int
    /// At most ``Limits/providerResponseBytes``.
    package let body: [UInt8]

    package init(status: Int, body: [UInt8]) {
        self.status = status
        self.body = body
    }
}

/// Sends requests to providers. Tests replace it.
package protocol ProviderTransport: Sendable {
    /// Sends a request and returns the response. Redirects are not followed but returned.
    /// - Throws: ``ProviderFailure/unreachable(_:)``, ``ProviderFailure/endpoint(_:)``.
    func send(_ request: ProviderRequest) async throws(ProviderFailure) -> ProviderReply
}

/// The reason why a provider's response can't be used.
package enum ProviderFailure: Error, Hashable, Sendable {
    /// No response in time, or one that is too long.
    case unreachable(String)
    /// The discovery document names this issuer instead of the configured one.
    case otherIssuer(String)
    /// The discovery document names an endpoint that isn't https, or that is on this computer or in its network.
    case endpoint(String)
    /// An invalid response, with a description.
    case unusable(String)
    /// The client secret can't be signed with the client's private key.
    case clientKey
    /// The provider refused the code, with the OAuth error code.
    case refused(String)
    /// The token is invalid.
    case token(IDTokenError)
}

/// The HTTP transport to providers. Each request has its own client: requests are few, and none leaves a connection
/// open.
///
/// A provider chooses the addresses in its discovery document. On another host than its issuer's, they must be public,
/// so that a provider on the internet can't direct requests into the server's private network; a provider in that
/// network may. The name is resolved once more for the connection. A name that changes in between leads to a host
/// whose certificate isn't valid for it.
package struct HTTPProviderTransport: ProviderTransport {
    private let lookUp: @Sendable (String) async -> [String]

    package init() { self.init(lookUp: HostAddresses.of) }

    /// - Parameter lookUp: resolves a name to numeric addresses.
    init(lookUp: @escaping @Sendable (String) async -> [String]) { self.lookUp = lookUp }

    /// Sends a request. Redirects are not followed, and responses are not decompressed.
    /// - Throws: ``ProviderFailure/unreachable(_:)``, ``ProviderFailure/endpoint(_:)``.
    package func send(_ request: ProviderRequest) async throws(ProviderFailure) -> ProviderReply {
        try await check(request)
        var configuration = HTTPClient.Configuration()
        configuration.redirectConfiguration = .disallow
        configuration.decompression = .disabled
        configuration.timeout = .init(
            connect: .seconds(Limits.providerConnectSeconds), read: .seconds(Limits.providerSeconds)
        )
        // A person is waiting, and can try again.
        configuration.connectionPool.retryConnectionEstablishment = false
        do {
            return try await HTTPClient.withHTTPClient(configuration: configuration) { client in
                try await Self.send(request, by: client)
            }
        } catch {
            throw .unreachable((error as? HTTPClientError)?.shortDescription ?? "\(type(of: error))")
        }
    }

    /// Throws unless the request goes to the issuer's host, or to a public address, or the issuer isn't public either.
    private func check(_ request: ProviderRequest) async throws(ProviderFailure) {
        guard let host = ProviderURL(request.url)?.host, let issuer = ProviderURL(request.issuer)?.host else {
            throw .endpoint(request.url)
        }
        guard host != issuer else { return }
        let addresses = await lookUp(host)
        guard !addresses.isEmpty else { throw .unreachable("name") }
        guard !addresses.allSatisfy(PublicAddress.isPublic) else { return }
        let issuerAddresses = await lookUp(issuer)
        guard !issuerAddresses.isEmpty, !issuerAddresses.contains(where: PublicAddress.isPublic) else {
            throw .endpoint(request.url)
        }
    }

    private static func send(_ request: ProviderRequest, by client: HTTPClient) async throws -> ProviderReply {
        var outgoing = HTTPClientRequest(url: request.url)
        outgoing.headers.add(name: "Accept", value: "application/json")
        outgoing.headers.add(name: "User-Agent", value: "homeward")
        if let authorization = request.authorization {
            outgoing.headers.add(name: "Authorization", value: authorization)
        }
        if let form = request.form {
            outgoing.method = .POST
            outgoing.headers.add(name: "Content-Type", value: "application/x-www-form-urlencoded")
            outgoing.body = .bytes(Array(FormText.encoded(form).utf8))
        }
        let response = try await client.execute(outgoing, timeout: .seconds(Limits.providerSeconds))
        let body = try await response.body.collect(upTo: Limits.providerResponseBytes)
        return ProviderReply(status: Int(response.status.code), body: Array(body.readableBytesView))
    }
}

/// Encoding of queries and forms (percent encoding of RFC 3986, 2.1).
enum FormText {
    static func encoded(_ pairs: [(name: String, value: String)]) -> String {
        pairs.map { "\(PercentEncoding.encoded($0.name))=\(PercentEncoding.encoded($0.value))" }.joined(separator: "&")
    }
}
