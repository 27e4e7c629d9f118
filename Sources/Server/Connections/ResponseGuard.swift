import NIOCore

/// Closes a connection or an HTTP/2 stream whose client reads too slowly. On a connection, the client's system takes no
/// more bytes. On a stream, the client doesn't open the stream's window or that of the connection.
final class ResponseGuard<Message: SizedMessage>: ChannelOutboundHandler {
    typealias OutboundIn = Message
    typealias OutboundOut = Message

    private let limits: ConnectionLimits
    /// The messages that were written and not sent yet, and their bytes. The end of a response has no bytes, but it
    /// waits for the window, too.
    private var unsent = (messages: 0, bytes: 0)
    private var progressAt = NIODeadline.uptimeNanoseconds(0)
    private var check: Scheduled<Void>?

    init(_ limits: ConnectionLimits) { self.limits = limits }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let bytes = unwrapOutboundIn(data).byteCount
        if unsent.messages == 0 { progressAt = context.eventLoop.now }
        unsent.messages += 1
        unsent.bytes += bytes
        scheduleCheck(context)
        let written = promise ?? context.eventLoop.makePromise()
        let loopBound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        written.futureResult.whenComplete { _ in
            let (handler, context) = loopBound.value
            handler.unsent.messages -= 1
            handler.unsent.bytes -= bytes
            handler.progressAt = context.eventLoop.now
        }
        context.write(data, promise: written)
    }

    func handlerRemoved(context: ChannelHandlerContext) { check?.cancel() }

    private func scheduleCheck(_ context: ChannelHandlerContext) {
        guard check == nil else { return }
        let loopBound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        check = context.eventLoop.scheduleTask(in: limits.grace) {
            let (handler, context) = loopBound.value
            handler.check = nil
            handler.closeIfStuck(context)
        }
    }

    private func closeIfStuck(_ context: ChannelHandlerContext) {
        guard unsent.messages > 0 else { return }
        guard context.eventLoop.now - progressAt <= limits.allowance(for: unsent.bytes) else {
            return context.close(promise: nil)
        }
        scheduleCheck(context)
    }
}
