import NIOCore
import NIOHTTPTypes

/// Resets an HTTP/2 stream whose client sends its request too slowly, or not to its end.
///
/// Unlike the ``RequestGuard`` of a connection, it counts only what belongs to the request. Other frames, such as PING
/// and WINDOW_UPDATE, belong to no request. They come while a client reads a live stream for hours, and they don't
/// excuse a request that doesn't arrive, either.
final class StreamRequestGuard: ChannelInboundHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart

    private let limits: ConnectionLimits
    /// Runs until the request is complete.
    private var clock: RequestClock?
    private var check: Scheduled<Void>?

    init(_ limits: ConnectionLimits) { self.limits = limits }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let part = unwrapInboundIn(data)
        if case .end = part {
            clock = nil
            check?.cancel()
            check = nil
        } else {
            if clock == nil {
                clock = RequestClock(since: context.eventLoop.now)
                scheduleCheck(context)
            }
            clock?.receive(part.byteCount)
        }
        context.fireChannelRead(data)
    }

    func handlerRemoved(context: ChannelHandlerContext) { check?.cancel() }

    private func scheduleCheck(_ context: ChannelHandlerContext) {
        let loopBound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        check = context.eventLoop.scheduleTask(in: limits.grace) {
            let (handler, context) = loopBound.value
            handler.check = nil
            handler.closeIfSlow(context)
        }
    }

    private func closeIfSlow(_ context: ChannelHandlerContext) {
        guard let clock else { return }
        guard !clock.isTooSlow(at: context.eventLoop.now, limits) else { return context.close(promise: nil) }
        scheduleCheck(context)
    }
}
