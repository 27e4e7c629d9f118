import HTTPTypes
import Hummingbird
import NIOCore
import NIOHTTPTypes

/// The body of a request whose client waits for a response before it sends the body (RFC 9110, 10.1.1). The client is
/// asked to continue when the body is first read, so that a request that is rejected by its head gets its response
/// without the body.
struct ExpectedBody: AsyncSequence, Sendable {
    private let body: RequestBody
    private let channel: any Channel

    /// Returns the request with a body that asks for its bytes, if the client waits for that.
    ///
    /// A request of HTTP/1.0, which has no interim responses, comes without the header (`ExpectationGuard`).
    static func asked(of request: Request, over channel: any Channel) -> Request {
        guard isAwaited(request.headers) else { return request }
        var request = request
        request.body = RequestBody(asyncSequence: ExpectedBody(body: request.body, channel: channel))
        return request
    }

    /// Whether the client waits before it sends the body.
    static func isAwaited(_ fields: HTTPFields) -> Bool {
        guard let expectation = fields[.expect] else { return false }
        return expectation.lowercased() == "100-continue" && fields[.contentLength] != "0"
    }

    func makeAsyncIterator() -> Iterator { Iterator(base: body.makeAsyncIterator(), channel: channel) }

    struct Iterator: AsyncIteratorProtocol {
        var base: RequestBody.AsyncIterator
        /// `nil` once the client was asked.
        var channel: (any Channel)?

        @concurrent
        mutating func next() async throws -> ByteBuffer? {
            // The connection writes in this order, so the response can't precede it.
            channel?.writeAndFlush(HTTPResponsePart.head(HTTPResponse(status: .continue)), promise: nil)
            channel = nil
            return try await base.next()
        }
    }
}
