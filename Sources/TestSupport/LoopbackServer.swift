package import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore
import Synchronization

/// Somebody else's service, on loopback: keeps what it was asked, and answers as it is told.
package final class LoopbackServer: Sendable {
    /// A request that came.
    package struct Arrival: Sendable {
        /// `GET`, `POST`.
        package let method: String
        /// With the query.
        package let path: String
        /// As they came.
        package let headers: HTTPFields
        /// Whole.
        package let body: [UInt8]
    }

    private static let bodyBytes = 100_000

    private let otherwise: HTTPResponse.Status
    private let state = Mutex((replies: [Response](), arrivals: [Arrival]()))

    /// Makes a service that answers nothing before ``serve(_:)``.
    /// - Parameter otherwise: what it says when it was not told what to say.
    package init(otherwise: HTTPResponse.Status = .notImplemented) { self.otherwise = otherwise }

    /// What it was asked, in that order.
    package var arrivals: [Arrival] { state.withLock(\.arrivals) }

    /// The answer to the next request that none was told for yet.
    package func reply(_ status: HTTPResponse.Status, headers: HTTPFields = [:], _ body: String = "") {
        let response = Response(
            status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(string: body)))
        state.withLock { $0.replies.append(response) }
    }

    /// Listens while `body` runs, which gets the origin: `http://127.0.0.1:PORT`.
    package func serve(_ body: @escaping @Sendable (String) async throws -> Void) async throws {
        let router = Router()
        for method in [HTTPRequest.Method.get, .post] {
            router.on("/**", method: method) { request, _ in try await self.answer(request) }
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
        try await withThrowingTaskGroup { group in
            group.addTask { try await application.run() }
            for await port in ports { try await body("http://127.0.0.1:\(port)") }
            group.cancelAll()
        }
    }

    private func answer(_ request: Request) async throws -> Response {
        let body = try await request.body.collect(upTo: Self.bodyBytes)
        let arrival = Arrival(
            method: request.method.rawValue, path: request.uri.string, headers: request.headers,
            body: Array(body.readableBytesView))
        return state.withLock { state in
            state.arrivals.append(arrival)
            return state.replies.isEmpty ? Response(status: otherwise) : state.replies.removeFirst()
        }
    }
}
