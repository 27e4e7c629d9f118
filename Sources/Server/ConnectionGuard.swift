import HummingbirdCore
import Kernel
import Logging
package import NIOCore

/// How slow a client may be, and how many connections its network may open.
package struct ConnectionLimits: Sendable {
    /// Time that a request or an answer may take beside what its size takes.
    package let grace: TimeAmount
    /// What a client must send or read on average.
    package let bytesPerSecond: Int64
    /// Connections of one network at once.
    package let perNetwork: Int

    /// Creates limits.
    package init(
        grace: TimeAmount = .seconds(Limits.connectionGraceSeconds),
        bytesPerSecond: Int64 = Limits.connectionBytesPerSecond, perNetwork: Int = Limits.connectionsPerNetwork
    ) {
        self.grace = grace
        self.bytesPerSecond = bytesPerSecond
        self.perNetwork = perNetwork
    }

    func allowance(for bytes: Int) -> TimeAmount {
        grace + .nanoseconds(Int64(bytes) * 1_000_000_000 / max(1, bytesPerSecond))
    }
}

/// A connection that is closed when its client is too slow, or its network has too many.
struct GuardedConnection<Base: ServerChildChannel>: ServerChildChannel {
    typealias Value = Base.Value

    let base: Base
    let limits: ConnectionLimits
    let counts: ConnectionCounts

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture {
            // First, so that it sees the bytes of the wire.
            try channel.pipeline.syncOperations.addHandler(
                ConnectionGuard(limits, isAllowed: counts.add(channel)))
        }.flatMap { base.setup(channel: channel, logger: logger) }
    }

    func handle(value: Value, logger: Logger) async { await base.handle(value: value, logger: logger) }
}

/// Measures a client by its bytes alone. A request that trickles in, and an answer that isn't read, hold a connection and
/// memory for as long as the client likes; the time-out for idle connections never sees them.
final class ConnectionGuard: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let limits: ConnectionLimits
    /// Whether the network has not reached its limit of connections.
    private let isAllowed: Bool
    /// When the first byte came that nothing was answered to yet, and how many came since.
    private var request: (since: NIODeadline, bytes: Int)?
    /// Bytes that were written and that the client has not taken.
    private var outstanding = 0
    private var progressAt = NIODeadline.uptimeNanoseconds(0)
    private var check: Scheduled<Void>?

    init(_ limits: ConnectionLimits, isAllowed: Bool) {
        self.limits = limits
        self.isAllowed = isAllowed
    }

    func channelActive(context: ChannelHandlerContext) {
        context.fireChannelActive()
        // Not before: the server expects a channel that was set up to become active.
        if !isAllowed { context.close(promise: nil) }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let now = context.eventLoop.now
        var request = request ?? (since: now, bytes: 0)
        request.bytes += unwrapInboundIn(data).readableBytes
        self.request = request
        guard now - request.since <= limits.allowance(for: request.bytes) else { return context.close(promise: nil) }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        request = nil
        let bytes = unwrapOutboundIn(data).readableBytes
        if outstanding == 0 { progressAt = context.eventLoop.now }
        outstanding += bytes
        scheduleCheck(context)
        let written = promise ?? context.eventLoop.makePromise()
        let loopBound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        written.futureResult.whenComplete { _ in
            let (handler, context) = loopBound.value
            handler.outstanding -= bytes
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
        guard outstanding > 0 else { return }
        guard context.eventLoop.now - progressAt <= limits.allowance(for: outstanding) else {
            return context.close(promise: nil)
        }
        scheduleCheck(context)
    }
}
