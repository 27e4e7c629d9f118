import AsyncHTTPClient
import Foundation
import Kernel
import NIOCore
import NIOHTTP1

/// Hologram's API over HTTP. The account's key appears only in the `Authorization` header, never in a URL, log or
/// error.
package struct HTTPHologramClient: HologramClient, CustomStringConvertible, CustomReflectable {
    private let base: String
    private let authorization: String

    /// Creates a client.
    /// - Parameters:
    ///   - url: The API's URL with its version, `https://dashboard.hologram.io/api/1`.
    ///   - key: The account's API key.
    package init(url: String, key: HologramKey) {
        base = url.hasSuffix("/") ? String(url.dropLast()) : url
        authorization = "Basic " + Data("apikey:\(key.text)".utf8).base64EncodedString()
    }

    /// Omits the key.
    package var description: String { "HTTPHologramClient(\(base))" }
    /// Omits the key.
    package var customMirror: Mirror { Mirror(self, children: ["base": base]) }

    /// `POST /devices/messages`.
    package func send(_ message: HologramMessage) async throws(HologramFailure) {
        let text = Data(message.payload).base64EncodedString()
        guard text.utf8.count <= Limits.hologramMessageBytes else { throw .tooLarge }
        // The newest API version encrypts by default and doesn't document how a device decrypts that. The frames carry
        // their own authentication.
        let body = MessageBody(
            deviceids: [message.device], protocol: "TCP", port: HologramMessage.port, base64data: text,
            waitForResponse: false, encrypted: false
        )
        guard let bytes = try? JSONEncoder().encode(body) else { throw .unreadable }
        let answer = try await exchange(.POST, "/devices/messages", Array(bytes))
        guard let said = JSONSyntax.decoded(MessageResponse.self, answer) else { throw .unreadable }
        guard said.success else { throw .refused(status: 200) }
    }

    /// `GET /csr/rdm`.
    package func records(_ query: HologramQuery) async throws(HologramFailure) -> HologramPage {
        var parts = URLComponents()
        parts.queryItems = [
            URLQueryItem(name: "topicname", value: query.topic),
            URLQueryItem(name: "timestart", value: "\(query.from.secondsRoundedDown)"),
            URLQueryItem(name: "limit", value: "\(Limits.hologramPageRecords)"),
        ]
        if let until = query.until {
            parts.queryItems?.append(URLQueryItem(name: "timeend", value: "\(until.secondsRoundedDown)"))
        }
        if let after = query.after { parts.queryItems?.append(URLQueryItem(name: "startafter", value: "\(after)")) }
        let answer = try await exchange(.GET, "/csr/rdm?" + (parts.percentEncodedQuery ?? ""), nil)
        guard let page = HologramPage(answer) else { throw .unreadable }
        return page
    }

    private struct MessageBody: Encodable {
        let deviceids: [Int64]
        let `protocol`: String
        let port: Int
        let base64data: String
        let waitForResponse: Bool
        let encrypted: Bool
    }

    private struct MessageResponse: Decodable { let success: Bool }

    private func exchange(_ method: HTTPMethod, _ path: String, _ body: [UInt8]?) async throws(HologramFailure)
        -> [UInt8]
    {
        var configuration = HTTPClient.Configuration()
        // A redirect could send the key to another host.
        configuration.redirectConfiguration = .disallow
        configuration.timeout = .init(
            connect: .seconds(Limits.hologramConnectSeconds), read: .seconds(Limits.hologramSeconds)
        )
        // The jobs retry.
        configuration.connectionPool.retryConnectionEstablishment = false
        var request = HTTPClientRequest(url: base + path)
        request.method = method
        request.headers.add(name: "Authorization", value: authorization)
        request.headers.add(name: "Accept", value: "application/json")
        request.headers.add(name: "User-Agent", value: "homeward")
        if let body {
            request.headers.add(name: "Content-Type", value: "application/json")
            request.body = .bytes(body)
        }
        let reply: (status: Int, retryAfter: String?, body: [UInt8])
        do {
            reply = try await HTTPClient.withHTTPClient(configuration: configuration) { client in
                let response = try await client.execute(request, timeout: .seconds(Limits.hologramSeconds))
                let bytes = try await response.body.collect(upTo: Limits.hologramResponseBytes)
                return (
                    Int(response.status.code), response.headers.first(name: "Retry-After"),
                    Array(bytes.readableBytesView)
                )
            }
        } catch {
            throw .unreachable((error as? HTTPClientError)?.shortDescription ?? "\(type(of: error))")
        }
        switch reply.status {
        case 200..<300: return reply.body
        case 401, 403: throw .wrongKey
        case 429: throw .busy(seconds: reply.retryAfter.flatMap { Int64($0) }.flatMap { $0 >= 0 ? $0 : nil })
        case 408, 425, 500..<600: throw .unavailable(status: reply.status)
        default: throw .refused(status: reply.status)
        }
    }
}

extension Instant {
    fileprivate var secondsRoundedDown: Int64 {
        let (whole, rest) = millisecondsSince1970.quotientAndRemainder(dividingBy: 1_000)
        return rest < 0 ? whole - 1 : whole
    }
}
