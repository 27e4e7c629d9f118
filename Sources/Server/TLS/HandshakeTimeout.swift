import NIOCore
import NIOTLS

/// Closes a connection whose TLS handshake isn't complete in time, or when the server stops. A handshake that trickles
/// in holds a connection, and the handlers behind TLS don't see its bytes.
final class HandshakeTimeout: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer

    private let limit: TimeAmount
    private var timeout: Scheduled<Void>?

    init(_ limit: TimeAmount) { self.limit = limit }

    func handlerAdded(context: ChannelHandlerContext) {
        let loopBound = NIOLoopBound(context, eventLoop: context.eventLoop)
        timeout = context.eventLoop.scheduleTask(in: limit) { loopBound.value.close(promise: nil) }
    }

    func handlerRemoved(context: ChannelHandlerContext) { timeout?.cancel() }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        context.fireUserInboundEventTriggered(event)
        if event is ChannelShouldQuiesceEvent { return context.close(promise: nil) }
        guard case TLSUserEvent.handshakeCompleted = event else { return }
        context.pipeline.syncOperations.removeHandler(self, promise: nil)
    }
}
