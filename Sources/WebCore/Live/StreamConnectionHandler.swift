import NIOCore
import NIOHTTPTypesHTTP1

/// Watches the connection of a stream: whether its client closes its side, which doesn't close the channel. It can keep
/// the connection open after the task that handled the request has ended (docs/decisions/0081).
final class StreamConnectionHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = NIOAny
    typealias OutboundIn = NIOAny

    /// Whether it can keep the connection open. True on HTTP/1.1, where a connection has one response at a time; false
    /// on a stream of HTTP/2.
    let canOutliveTask: Bool
    /// Whether the connection stays open when its task closes it.
    var outlivesTask = false
    private let inputClosed: () -> Void

    private init(canOutliveTask: Bool, inputClosed: @escaping () -> Void) {
        self.canOutliveTask = canOutliveTask
        self.inputClosed = inputClosed
    }

    /// Adds a handler to a channel. Call it on the event loop.
    static func add(
        to channel: any Channel, inputClosed: @escaping () -> Void
    ) throws -> StreamConnectionHandler {
        let pipeline = channel.pipeline.syncOperations
        let codec = try? pipeline.handler(type: HTTP1ToHTTPServerCodec.self)
        let handler = StreamConnectionHandler(canOutliveTask: codec != nil, inputClosed: inputClosed)
        // Behind the codec, so that closing passes this handler before TLS and HTTP.
        try pipeline.addHandler(handler, position: codec.map { .after($0) } ?? .first)
        return handler
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if let event = event as? ChannelEvent, event == .inputClosed { inputClosed() }
        context.fireUserInboundEventTriggered(event)
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        guard outlivesTask else { return context.close(mode: mode, promise: promise) }
        promise?.succeed()
    }
}
