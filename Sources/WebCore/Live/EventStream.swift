import HTTPTypes
package import Hummingbird
import NIOCore
import ServiceLifecycle

/// Server-sent events of a page without a session (WHATWG HTML, 9.2). The events of sessions are ``LiveRoute``.
package enum EventStream {
    /// Returns the response that sends `events` until they end.
    /// - Parameter end: Called when the client leaves or the server stops; it must end `events`. It can be called
    ///   several times.
    package static func response(
        _ request: Request, _ context: some WebContext, events: AsyncStream<[UInt8]>,
        end: @escaping @Sendable () -> Void
    ) async throws -> Response {
        var headers = Responses.privateHeaders(version: nil)
        headers[.contentType] = "text/event-stream"
        headers[.xAccelBuffering] = "no"
        guard request.method == .get else {
            end()
            return Responses.headOfStream(headers)
        }
        let channel = context.app.channel
        // If the client leaves before the head of the response is written, no body is made whose end would be noticed.
        channel.closeFuture.whenComplete { _ in end() }
        let watcher = try await channel.eventLoop.submit {
            try NIOLoopBound(StreamConnectionHandler.add(to: channel, inputClosed: end), eventLoop: channel.eventLoop)
        }.get()
        let body = ResponseBody { writer in
            defer {
                end()
                channel.eventLoop.execute {
                    channel.pipeline.syncOperations.removeHandler(watcher.value, promise: nil)
                }
            }
            try await withGracefulShutdownHandler {
                for await event in events { try await writer.write(ByteBuffer(bytes: event)) }
            } onGracefulShutdown: {
                end()
            }
            try await writer.finish(nil)
        }
        return Response(status: .ok, headers: headers, body: body)
    }
}
