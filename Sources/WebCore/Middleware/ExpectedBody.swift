import HTTPTypes
import Hummingbird
import NIOCore
import NIOHTTPTypes
import Synchronization

/// The body of a request whose client waits for a response before it sends the body (RFC 9110, 10.1.1). The client is
/// asked to continue when the body is first read, so that a request that is rejected by its head gets its response
/// without the body.
struct ExpectedBody: AsyncSequence, Sendable {
    /// Whether the client was asked for the body.
    private final class State: Sendable {
        let isAsked = Atomic(false)
    }

    private let body: RequestBody
    private let channel: any Channel
    private let state = State()

    /// - Returns: `nil` if the client doesn't wait. A request of HTTP/1.0, which has no interim responses, comes
    ///   without the header (`ExpectationGuard`).
    init?(of request: Request, over channel: any Channel) {
        // In HTTP/1.1, a request without a length has no body.
        let isSized = request.headers.contains(.contentLength) || request.headers.contains(.transferEncoding)
        guard Self.isAwaited(request.headers), isSized || channel.isHTTP2Stream else { return nil }
        body = request.body
        self.channel = channel
    }

    /// Whether the client waits before it sends the body.
    static func isAwaited(_ fields: HTTPFields) -> Bool {
        guard let expectation = fields[.expect] else { return false }
        return expectation.lowercased() == "100-continue" && fields[.contentLength] != "0"
    }

    /// Announces in the final response that a client that wasn't asked for the body must not send it: the connection
    /// closes.
    func finish(_ response: inout Response) {
        guard !state.isAsked.load(ordering: .relaxed), !channel.isHTTP2Stream else { return }
        response.headers[.connection] = "close"
    }

    private func ask() {
        guard !state.isAsked.exchange(true, ordering: .relaxed) else { return }
        // The connection writes in this order, so the response can't precede it.
        channel.writeAndFlush(HTTPResponsePart.head(HTTPResponse(status: .continue)), promise: nil)
    }

    func makeAsyncIterator() -> Iterator { Iterator(base: body.makeAsyncIterator(), expected: self) }

    struct Iterator: AsyncIteratorProtocol {
        var base: RequestBody.AsyncIterator
        let expected: ExpectedBody

        @concurrent
        mutating func next() async throws -> ByteBuffer? {
            expected.ask()
            return try await base.next()
        }
    }
}
