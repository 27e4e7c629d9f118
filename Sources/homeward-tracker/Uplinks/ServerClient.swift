import AsyncHTTPClient
import Foundation
import Kernel
import Logging
import NIOCore
import NIOHTTP1
import TrackerCore
import TrackerProtocol

/// The HTTP connection to the server.
struct ServerClient: Sendable {
    private let client: HTTPClient
    /// The server's URL without a slash at the end.
    let baseURL: String
    private let logger: Logger

    private static let timeoutSeconds: Int64 = 20
    private static let keptSeconds: Int64 = 150

    init(baseURL: String, logger: Logger) {
        var configuration = HTTPClient.Configuration()
        // A signed message may only reach the server that the owner chose.
        configuration.redirectConfiguration = .disallow
        configuration.timeout = .init(connect: .seconds(5), read: .seconds(Self.timeoutSeconds))
        // Longer than the pause between two messages: a new connection costs more bytes than its content.
        configuration.connectionPool.idleTimeout = .seconds(Self.keptSeconds)
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        self.baseURL = String(baseURL.reversed().drop { $0 == "/" }.reversed())
        self.logger = logger
    }

    func shutdown() async throws { try await client.shutdown() }

    enum Registration: Sendable {
        case answered(FirstContactResponse)
        case refused
        case failed
    }

    /// The status of a ready server.
    struct Sign: Sendable {
        /// The time of the server's clock (RFC 9110, 6.6.1); `nil` when it sends none.
        let now: Instant?
    }

    /// Returns the status of a ready Homeward server; `nil` when there is none.
    func sign() async -> Sign? {
        let request = HTTPClientRequest(url: baseURL + "/health/ready")
        let response = try? await client.execute(request, timeout: .seconds(Self.timeoutSeconds))
        guard let response, response.status == .ok else { return nil }
        return Sign(now: response.headers.first(name: "Date").flatMap { Instant(httpDate: $0) })
    }

    func register(_ identity: TrackerIdentity) async -> Registration {
        let contact = FirstContact(publicKey: identity.keyPair.publicKey, codeHash: identity.claimCode.hash)
        guard let reply = await post(contact.encoded(), to: TrackerHTTP.firstContactPath, signature: nil) else {
            return .failed
        }
        switch reply.status {
        case 201, 200:
            guard let answer = FirstContactResponse(reply.body) else {
                logger.warning("first contact: unreadable answer")
                return .failed
            }
            return .answered(answer)
        case 409:
            return .refused
        default:
            logger.warning("first contact refused", metadata: ["status": "\(reply.status)"])
            return .failed
        }
    }

    /// The approximate size of the HTTP headers and of the transport layers, for the data budget.
    private static let overheadBytes = 900

    /// Sends a message; returns the machine's event for the result and the bytes used.
    func send(
        _ uplink: Uplink, over channel: TrackerChannel, of tracker: TrackerID
    ) async -> (event: TrackerEvent, bytes: Int) {
        let message = channel.seal(uplink)
        let path = TrackerHTTP.messagesPath(of: tracker)
        let spent = message.body.count + Self.overheadBytes
        guard let reply = await post(message.body, to: path, signature: message.signature) else {
            return (.unanswered, spent)
        }
        return (event(of: reply, to: uplink, over: channel), spent + reply.body.count)
    }

    private func event(of reply: Reply, to uplink: Uplink, over channel: TrackerChannel) -> TrackerEvent {
        do throws(DownlinkFailure) {
            let answer = try channel.open(reply.body, signature: reply.signature, counter: uplink.counter)
            if case .malformed = answer { logger.warning("the server can't read the message") }
            return .answered(answer)
        } catch {
            logger.warning("no authentic answer", metadata: ["status": "\(reply.status)", "failure": "\(error)"])
            return [401, 404, 410].contains(reply.status) ? .disowned : .unanswered
        }
    }

    private struct Reply {
        let status: UInt
        let body: [UInt8]
        let signature: String?
    }

    private func post(_ body: [UInt8], to path: String, signature: String?) async -> Reply? {
        var request = HTTPClientRequest(url: baseURL + path)
        request.method = .POST
        request.headers.add(name: "Content-Type", value: "application/json")
        request.headers.add(name: "Accept", value: "application/json")
        if let signature { request.headers.add(name: TrackerHTTP.signatureHeader, value: signature) }
        request.body = .bytes(body)
        do {
            let response = try await client.execute(request, timeout: .seconds(Self.timeoutSeconds))
            let buffer = try await response.body.collect(upTo: Limits.ingestBytes)
            return Reply(
                status: response.status.code, body: Array(buffer.readableBytesView),
                signature: response.headers.first(name: TrackerHTTP.signatureHeader)
            )
        } catch {
            let reason = (error as? HTTPClientError)?.shortDescription ?? "\(type(of: error))"
            logger.warning("the server can't be reached", metadata: ["reason": "\(reason)"])
            return nil
        }
    }
}
