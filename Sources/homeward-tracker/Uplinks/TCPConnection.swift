import NIOCore
import NIOPosix

/// A connection as a stream of bytes. The stream ends when the other side, ``close()`` or a deadline closes the
/// connection.
struct TCPConnection: Sendable {
    /// The incoming bytes.
    let bytes: AsyncStream<[UInt8]>
    private let channel: any Channel

    // The connection ends when the reader falls behind by this many chunks, to limit the memory.
    private static let waitingPieces = 256

    init(host: String, port: Int, connectSeconds: Int64) async throws {
        let (stream, sink) = AsyncStream.makeStream(
            of: [UInt8].self, bufferingPolicy: .bufferingOldest(Self.waitingPieces)
        )
        bytes = stream
        channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connectTimeout(.seconds(connectSeconds))
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(ByteForwarder(sink: sink))
                }
            }
            .connect(host: host, port: port).get()
    }

    func send(_ bytes: [UInt8]) { channel.writeAndFlush(ByteBuffer(bytes: bytes), promise: nil) }

    func close() { channel.close(promise: nil) }

    /// Closes the connection at the deadline.
    func close(at deadline: NIODeadline) {
        let channel = channel
        channel.eventLoop.scheduleTask(deadline: deadline) { channel.close(promise: nil) }
    }
}

private final class ByteForwarder: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let sink: AsyncStream<[UInt8]>.Continuation

    init(sink: AsyncStream<[UInt8]>.Continuation) { self.sink = sink }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let buffer = unwrapInboundIn(data)
        if case .dropped = sink.yield(Array(buffer.readableBytesView)) { context.close(promise: nil) }
    }

    func channelInactive(context: ChannelHandlerContext) {
        sink.finish()
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
