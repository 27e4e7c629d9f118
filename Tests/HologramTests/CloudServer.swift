import HTTPTypes
import Hummingbird
import HummingbirdCore
import Kernel
import NIOCore
import Synchronization
import TestSupport

/// The vendor's API on loopback: says what it is told, and keeps what it was asked.
final class CloudServer: Sendable {
    struct Arrival: Sendable {
        let method: String
        let path: String
        let headers: HTTPFields
        let body: String
    }

    private let state = Mutex((replies: [Response](), arrivals: [Arrival]()))

    var arrivals: [Arrival] { state.withLock(\.arrivals) }

    func reply(_ body: String) { reply(.ok, body) }

    func reply(_ status: HTTPResponse.Status, _ body: String, _ headers: HTTPFields = [:]) {
        let response = Response(
            status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(string: body))
        )
        state.withLock { $0.replies.append(response) }
    }

    /// Serves while `body` runs, which gets the API's address.
    func serve(_ body: @escaping @Sendable (String) async throws -> Void) async throws {
        let router = Router()
        router.on("/**", method: .post) { request, _ in try await self.answer(request) }
        router.on("/**", method: .get) { request, _ in try await self.answer(request) }
        let (ports, running) = AsyncStream.makeStream(of: Int.self)
        let application = Application(
            router: router,
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { channel in
                running.yield(channel.localAddress?.port ?? 0)
                running.finish()
            },
            logger: .silent)
        try await withThrowingTaskGroup { group in
            group.addTask { try await application.run() }
            for await port in ports { try await body("http://127.0.0.1:\(port)/api/1") }
            group.cancelAll()
        }
    }

    private func answer(_ request: Request) async throws -> Response {
        let body = try await request.body.collect(upTo: 100_000)
        let arrival = Arrival(
            method: request.method.rawValue, path: request.uri.string, headers: request.headers,
            body: String(buffer: body))
        return state.withLock { state in
            state.arrivals.append(arrival)
            return state.replies.isEmpty ? Response(status: .notImplemented) : state.replies.removeFirst()
        }
    }
}
