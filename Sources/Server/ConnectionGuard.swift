import HummingbirdCore
import Kernel
import Logging
package import NIOCore

/// The limits of slow clients, and of the connections that one network may have.
package struct ConnectionLimits: Sendable {
    /// The time that a TLS handshake may last, and that a request or a response may last in addition to
    /// ``bytesPerSecond``.
    package let grace: TimeAmount
    /// The rate at which a client must send a request and read a response, on average.
    package let bytesPerSecond: Int64
    /// The maximum number of open connections of one network.
    package let perNetwork: Int

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

/// A connection that the server closes when its client is too slow, or when its network has too many connections.
struct GuardedConnection<Base: ServerChildChannel>: ServerChildChannel {
    typealias Value = Base.Value

    let base: Base
    let limits: ConnectionLimits
    let counts: ConnectionCounts

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture {
            // Placed behind TLS, so that it sees the bytes of requests and not those of a handshake.
            try channel.pipeline.syncOperations.addHandler(
                ConnectionGuard(limits, isAllowed: counts.add(channel)))
        }.flatMap { base.setup(channel: channel, logger: logger) }
    }

    func handle(value: Value, logger: Logger) async { await base.handle(value: value, logger: logger) }
}

/// Closes a connection whose client sends a request or reads a response too slowly. The idle time-out doesn't end such
/// a connection, because its bytes keep coming.
final class ConnectionGuard: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let limits: ConnectionLimits
    /// False when the network has reached its limit of connections.
    private let isAllowed: Bool
    /// The time of the first byte since the last write of a response, and the number of bytes since then. `nil` while
    /// the client owes no request.
    private var request: (since: NIODeadline, bytes: Int)?
    /// The number of written bytes that the system hasn't sent yet.
    private var outstanding = 0
    private var progressAt = NIODeadline.uptimeNanoseconds(0)
    private var check: Scheduled<Void>?

    init(_ limits: ConnectionLimits, isAllowed: Bool) {
        self.limits = limits
        self.isAllowed = isAllowed
    }

    func channelActive(context: ChannelHandlerContext) {
        context.fireChannelActive()
        // Not earlier: the server expects a channel to become active after its set-up.
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
