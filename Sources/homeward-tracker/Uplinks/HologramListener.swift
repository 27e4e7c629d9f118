import Kernel
import Logging
import NIOCore
import NIOPosix
import Synchronization

/// Receives the messages that Hologram's cloud sends to the SIM card: one message per connection.
struct HologramListener: Sendable {
    private let channel: any Channel

    static let standardPort = 4010
    private static let patienceSeconds: Int64 = 5

    /// The listening port.
    var port: Int { channel.localAddress?.port ?? 0 }

    /// Starts listening.
    /// - Parameter receive: receives each complete message of at most ``Limits/cloudMessageBytes``.
    init(host: String, port: Int, receive: @escaping @Sendable ([UInt8]) -> Void) async throws {
        let open = OpenConnections()
        channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .serverChannelOption(.backlog, value: Int32(Limits.cloudConnections))
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.addHandler(IdleStateHandler(readTimeout: .seconds(Self.patienceSeconds)))
                    try pipeline.addHandler(MessageCollector(open: open, receive: receive))
                }
            }
            .bind(host: host, port: port).get()
    }

    func close() async { try? await channel.close().get() }
}

/// Limits the number of connections, because any device on the SIM card's network can connect.
private final class OpenConnections: Sendable {
    private let count = Mutex(0)

    func enter() -> Bool {
        count.withLock { count in
            guard count < Limits.cloudConnections else { return false }
            count += 1
            return true
        }
    }

    func leave() { count.withLock { $0 -= 1 } }
}

private final class MessageCollector: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let open: OpenConnections
    private let receive: @Sendable ([UInt8]) -> Void
    private var message: [UInt8] = []
    private var isIn = false

    init(open: OpenConnections, receive: @escaping @Sendable ([UInt8]) -> Void) {
        self.open = open
        self.receive = receive
    }

    func channelActive(context: ChannelHandlerContext) {
        isIn = open.enter()
        if !isIn { context.close(promise: nil) }
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let buffer = unwrapInboundIn(data)
        guard message.count + buffer.readableBytes <= Limits.cloudMessageBytes else {
            message = []
            return context.close(promise: nil)
        }
        message += buffer.readableBytesView
    }

    // The cloud closes after its message or leaves the connection open; both end the message.
    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is IdleStateHandler.IdleStateEvent { context.close(promise: nil) }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        if isIn { open.leave() }
        isIn = false
        if !message.isEmpty { receive(message) }
        message = []
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
