import NIOCore

/// Detects that a client closes its side of the connection, which doesn't close the channel.
final class ClosedInputHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = NIOAny

    private let closed: () -> Void

    init(closed: @escaping () -> Void) { self.closed = closed }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if let event = event as? ChannelEvent, event == .inputClosed { closed() }
        context.fireUserInboundEventTriggered(event)
    }
}
