import AsyncHTTPClient
import Foundation
import Kernel
import NIOCore
import NIOHTTP1

/// What is sent to a provider.
package struct ProviderRequest: Sendable {
    /// Where to; checked.
    package let url: String
    /// The fields of a form that is posted; `nil` for GET.
    package let form: [(name: String, value: String)]?
    /// The Authorization header.
    package let authorization: String?

    init(_ url: String, form: [(name: String, value: String)]? = nil, authorization: String? = nil) {
        self.url = url
        self.form = form
        self.authorization = authorization
    }
}

/// What a provider answers.
package struct ProviderReply: Sendable {
    /// The HTTP status.
    package let status: Int
    /// The body; at most ``Limits/providerAnswerBytes``.
    package let body: [UInt8]

    /// Makes a reply.
    package init(status: Int, body: [UInt8]) {
        self.status = status
        self.body = body
    }
}

/// The road to providers.
package protocol ProviderTransport: Sendable {
    /// Sends a request and waits for the answer. Redirects are not followed: they come back as they are.
    /// - Throws: ``ProviderFailure/unreachable(_:)``.
    func send(_ request: ProviderRequest) async throws(ProviderFailure) -> ProviderReply
}

/// Why a provider's word could not be taken.
package enum ProviderFailure: Error, Hashable, Sendable {
    /// No answer in time, or one that is too long.
    case unreachable(String)
    /// An answer that makes no sense; says which.
    case unusable(String)
    /// It refused the code; says with which error.
    case refused(String)
    /// Its token proves nothing.
    case token(IDTokenFlaw)
}

/// The road to providers over HTTP. Each request has a client of its own: there are few, and none leaves a connection
/// behind.
package struct HTTPProviderTransport: ProviderTransport {
    /// Makes the road.
    package init() {}

    /// Sends a request; nothing is followed, unpacked or kept.
    /// - Throws: ``ProviderFailure/unreachable(_:)``.
    package func send(_ request: ProviderRequest) async throws(ProviderFailure) -> ProviderReply {
        var configuration = HTTPClient.Configuration()
        configuration.redirectConfiguration = .disallow
        configuration.decompression = .disabled
        configuration.timeout = .init(
            connect: .seconds(Limits.providerConnectSeconds), read: .seconds(Limits.providerSeconds)
        )
        do {
            return try await HTTPClient.withHTTPClient(configuration: configuration) { client in
                try await Self.send(request, by: client)
            }
        } catch {
            throw .unreachable((error as? HTTPClientError)?.shortDescription ?? "\(type(of: error))")
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
        let body = try await response.body.collect(upTo: Limits.providerAnswerBytes)
        return ProviderReply(status: Int(response.status.code), body: Array(body.readableBytesView))
    }
}

/// Pairs as a query or a form writes them (percent encoding of RFC 3986, 2.1).
enum FormText {
    private static let allowed = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
    )

    static func encoded(_ pairs: [(name: String, value: String)]) -> String {
        pairs.map { "\(encoded($0.name))=\(encoded($0.value))" }.joined(separator: "&")
    }

    static func encoded(_ text: String) -> String { text.addingPercentEncoding(withAllowedCharacters: allowed) ?? "" }
}
