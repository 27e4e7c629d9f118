import NIOCore
import NIOHTTP2

/// Closes an HTTP/2 connection that is idle, that has failed, or that its client doesn't close when the server stops.
///
/// nio-http2 sends GOAWAY and leaves it to the client to answer: without this handler, a client that is gone, or that
/// has sent more than the limits allow, would keep its connection.
final class HTTP2ConnectionLife: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame

    /// The time without open streams after which the client is asked to close the connection.
    private let idle: TimeAmount
    /// The time without open streams after which the server closes a connection whose client was asked to.
    private let closing: TimeAmount
    private var openStreams = 0
    private var idleSince = NIODeadline.uptimeNanoseconds(0)
    private var isClosing = false
    private var context: ChannelHandlerContext?
    private var timeout: Scheduled<Void>?

    init(idle: TimeAmount, closing: TimeAmount) {
        self.idle = idle
        self.closing = closing
    }

    /// Counts a stream until it closes.
    func add(_ stream: any Channel) {
        openStreams += 1
        stream.closeFuture.assumeIsolated().whenComplete { [self] _ in
            openStreams -= 1
            if openStreams == 0 { becomeIdle() }
        }
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        becomeIdle()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        timeout?.cancel()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        context.fireUserInboundEventTriggered(event)
        switch event {
        case is ChannelShouldQuiesceEvent where !isClosing:
            isClosing = true
            timeout?.cancel()
            timeout = nil
            if openStreams == 0 { becomeIdle() }
        case ChannelEvent.inputClosed:
            // Without the client's frames, no window opens and no stream is reset.
            context.close(promise: nil)
        default: break
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // An error of a stream alone arrives here as well. Browsers cause none.
        context.close(promise: nil)
    }

    private func becomeIdle() {
        guard let context else { return }
        idleSince = context.eventLoop.now
        // A timeout that was scheduled for an earlier time measures the rest: requests come more often than it.
        if timeout == nil { schedule(in: isClosing ? closing : idle, context) }
    }

    private func schedule(in time: TimeAmount, _ context: ChannelHandlerContext) {
        timeout = context.eventLoop.assumeIsolated().scheduleTask(in: time) { [self] in
            timeout = nil
            closeIfIdle()
        }
    }

    private func closeIfIdle() {
        guard let context, openStreams == 0 else { return }
        let rest = (isClosing ? closing : idle) - (context.eventLoop.now - idleSince)
        if rest > .zero { return schedule(in: rest, context) }
        if isClosing { return context.close(promise: nil) }
        // The handler that sends GOAWAY gets the event, and this one begins to wait for the client.
        context.channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
    }
}
