import HummingbirdCore
import Kernel
import Logging
import NIOCore

/// A connection that the server closes when its client reads too slowly, or when its network has too many connections.
struct GuardedConnection<Base: ServerChildChannel>: ServerChildChannel {
    typealias Value = Base.Value

    let base: Base
    let limits: ConnectionLimits
    let counts: ConnectionCounts

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture {
            // A connection keeps its buffer while a stream is open. The buffer grows with what is read.
            let standard = AdaptiveRecvByteBufferAllocator()
            let buffers = AdaptiveRecvByteBufferAllocator(
                minimum: standard.minimum, initial: Limits.connectionReadBytes, maximum: standard.maximum)
            try channel.syncOptions?.setOption(.recvAllocator, value: buffers)
            let sync = channel.pipeline.syncOperations
            if !counts.add(channel, of: counts.network(of: channel)) { try sync.addHandler(ConnectionRefusal()) }
            // Placed behind TLS, so that it sees the bytes of responses and not those of a handshake.
            try sync.addHandler(ResponseGuard<ByteBuffer>(limits))
        }.flatMap { base.setup(channel: channel, logger: logger) }
    }

    func handle(value: Value, logger: Logger) async { await base.handle(value: value, logger: logger) }
}

/// Closes a connection whose network has reached its limit.
private final class ConnectionRefusal: ChannelInboundHandler {
    typealias InboundIn = NIOAny

    func channelActive(context: ChannelHandlerContext) {
        context.fireChannelActive()
        // Not earlier: the server expects a channel to become active after its set-up.
        context.close(promise: nil)
    }
}
