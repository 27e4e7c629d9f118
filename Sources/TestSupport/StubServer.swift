package import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore
import ServiceLifecycle
import Synchronization

/// A stand-in for an external service, on loopback: records requests and sends prepared responses.
package final class StubServer: Sendable {
    /// A received request.
    package struct ReceivedRequest: Sendable {
        package let method: String
        /// The path with its query.
        package let path: String
        package let headers: HTTPFields
        package let body: [UInt8]
    }

    private static let bodyBytes = 100_000

    private let otherwise: HTTPResponse.Status
    private let state = Mutex((replies: [Response](), answers: [String: Response](), arrivals: [ReceivedRequest]()))
    /// Ends with ``serve(_:)``.
    private let stalls = Task { try await Task.sleep(for: .seconds(24 * 60 * 60)) }

    /// Creates a service that starts with ``serve(_:)``.
    /// - Parameter otherwise: the status of a request without a prepared response.
    package init(otherwise: HTTPResponse.Status = .notImplemented) { self.otherwise = otherwise }

    /// The received requests, in their order.
    package var arrivals: [ReceivedRequest] { state.withLock(\.arrivals) }

    /// Prepares the response to the next request that has none yet.
    package func reply(_ status: HTTPResponse.Status, headers: HTTPFields = [:], _ body: String = "") {
        let response = Response(
            status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(string: body)))
        state.withLock { $0.replies.append(response) }
    }

    /// Prepares the response to all requests for a path, for requests that arrive in any order.
    package func reply(to path: String, _ status: HTTPResponse.Status, _ body: String) {
        let response = Response(status: status, body: ResponseBody(byteBuffer: ByteBuffer(string: body)))
        state.withLock { $0.answers[path] = response }
    }

    /// Prepares a response to the next request that stops after its head.
    package func stall() {
        let body = ResponseBody(contentLength: 1) { [stalls] _ in try await stalls.value }
        state.withLock { $0.replies.append(Response(status: .ok, body: body)) }
    }

    /// Listens while `body` runs. `body` gets the origin: `http://127.0.0.1:PORT`.
    package func serve(_ body: @escaping @Sendable (String) async throws -> Void) async throws {
        let router = Router()
        for method in [HTTPRequest.Method.get, .post] {
            router.on("/**", method: method) { request, _ in try await self.response(to: request) }
        }
        let (ports, running) = AsyncStream.makeStream(of: Int.self)
        let application = Application(
            router: router,
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { channel in
                running.yield(channel.localAddress?.port ?? 0)
                running.finish()
            },
            logger: .silent)
        // Cancelling the application instead would end the process if a connection was accepted at that moment
        // (apple/swift-nio#3481).
        let service = ServiceGroup(configuration: ServiceGroupConfiguration(services: [application], logger: .silent))
        try await withThrowingTaskGroup { group in
            group.addTask { try await service.run() }
            for await port in ports {
                // The server waits for its responses, also after a failed test.
                defer { stalls.cancel() }
                try await body("http://127.0.0.1:\(port)")
            }
            await service.triggerGracefulShutdown()
            try await group.waitForAll()
        }
    }

    private func response(to request: Request) async throws -> Response {
        let body = try await request.body.collect(upTo: Self.bodyBytes)
        let arrival = ReceivedRequest(
            method: request.method.rawValue, path: request.uri.string, headers: request.headers,
            body: Array(body.readableBytesView))
        return state.withLock { state in
            state.arrivals.append(arrival)
            if let answer = state.answers[arrival.path] { return answer }
            return state.replies.isEmpty ? Response(status: otherwise) : state.replies.removeFirst()
        }
    }
}
