import NIOCore

/// Closes an HTTP/1.1 connection whose client sends a request too slowly. The idle time-out doesn't end such a
/// connection, because its bytes keep coming.
final class RequestGuard: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = NIOAny

    private let limits: ConnectionLimits
    /// Runs from the first byte since the last write of a response; `nil` while the client owes no request.
    private var clock: RequestClock?

    init(_ limits: ConnectionLimits) { self.limits = limits }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let now = context.eventLoop.now
        var clock = clock ?? RequestClock(since: now)
        clock.receive(unwrapInboundIn(data).readableBytes)
        self.clock = clock
        guard !clock.isTooSlow(at: now, limits) else { return context.close(promise: nil) }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        clock = nil
        context.write(data, promise: promise)
    }
}
