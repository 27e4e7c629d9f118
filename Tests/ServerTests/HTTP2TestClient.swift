import NIOCore
import NIOHPACK
import NIOPosix
import NIOSSL
import NIOTLS
import Synchronization

/// A client of HTTP/2 over TLS that sends single frames, as a slow or hostile client does. It opens no window and
/// answers no frame unless the test does.
final class HTTP2TestClient: Sendable {
    static let initialWindow: UInt16 = 4

    private let channel: any Channel
    private let received: AsyncStream<HTTP2TestFrame>
    private let nextStream = Mutex<UInt32>(1)
    /// The protocol that the server chose; `nil` for none.
    let negotiated: String?
    /// The server's SETTINGS.
    let settings: HTTP2TestFrame?

    /// - Parameters:
    ///   - protocols: those that the client offers.
    ///   - settings: the client's settings; the preface isn't sent if there are none.
    init(
        port: Int, protocols: [String] = ["h2", "http/1.1"], settings: [(UInt16, UInt32)]? = []
    ) async throws {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.certificateVerification = .none
        configuration.applicationProtocols = protocols
        let context = try NIOSSLContext(configuration: configuration)
        let (received, continuation) = AsyncStream.makeStream(of: HTTP2TestFrame.self)
        self.received = received
        let negotiated = MultiThreadedEventLoopGroup.singleton.any().makePromise(of: String?.self)
        channel = try await ClientBootstrap(group: negotiated.futureResult.eventLoop)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandlers(
                        NIOSSLClientHandler(context: context, serverHostname: "localhost"),
                        NegotiationObserver(negotiated), FrameReader(continuation))
                }
            }
            .connect(host: "127.0.0.1", port: port).get()
        self.negotiated = try await negotiated.futureResult.get()
        guard let settings else {
            self.settings = nil
            return
        }
        let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + HTTP2TestFrame.settings(settings).bytes
        channel.writeAndFlush(ByteBuffer(bytes: preface), promise: nil)
        var frames = received.makeAsyncIterator()
        self.settings = await frames.next()
        send(HTTP2TestFrame(.settings, flags: HTTP2TestFrame.Flag.ack))
    }

    deinit { channel.close(promise: nil) }

    var isClosed: Bool { !channel.isActive }

    // MARK: Sending

    func write(_ bytes: [UInt8]) { channel.writeAndFlush(ByteBuffer(bytes: bytes), promise: nil) }

    func send(_ frames: HTTP2TestFrame...) { write(frames.flatMap(\.bytes)) }

    /// Sends the headers of a request.
    /// - Parameter isComplete: whether the request has no body.
    /// - Returns: the request's stream.
    @discardableResult
    func request(
        _ method: String, _ path: String, _ fields: [(String, String)] = [], isComplete: Bool = true
    ) -> UInt32 {
        let stream = openStream()
        let block = HTTP2TestFrame.headerBlock(
            [(":method", method), (":scheme", "https"), (":authority", "localhost"), (":path", path)] + fields)
        let flags = HTTP2TestFrame.Flag.endHeaders | (isComplete ? HTTP2TestFrame.Flag.endStream : 0)
        send(HTTP2TestFrame(.headers, flags: flags, stream: stream, block))
        return stream
    }

    /// Reserves the id of a stream.
    func openStream() -> UInt32 {
        nextStream.withLock { next in
            defer { next += 2 }
            return next
        }
    }

    func body(_ text: String, on stream: UInt32, isLast: Bool = true) {
        let flags = isLast ? HTTP2TestFrame.Flag.endStream : 0
        send(HTTP2TestFrame(.data, flags: flags, stream: stream, Array(text.utf8)))
    }

    /// Closes the connection as a client that is gone does.
    func close() async throws { try await channel.close() }

    // MARK: Receiving

    /// - Returns: the next frame that meets the condition, or `nil` once the server has closed the connection.
    func next(where condition: (HTTP2TestFrame) -> Bool = { _ in true }) async -> HTTP2TestFrame? {
        for await frame in received where condition(frame) { return frame }
        return nil
    }

    /// Waits for a response's head.
    /// - Returns: the status; `nil` if the server has reset the stream or closed the connection.
    func status(on stream: UInt32) async -> String? {
        await next { $0.stream == stream && ($0.status != nil || $0.kind == .reset) }?.status
    }

    /// Waits until the server has read all frames.
    func roundTrip() async {
        send(HTTP2TestFrame(.ping, [UInt8](repeating: 0, count: 8)))
        _ = await next { $0.kind == .ping && $0.flags & HTTP2TestFrame.Flag.ack != 0 }
    }

    /// - Returns: the error code of the stream's RST_STREAM; `nil` if the response comes to its end.
    func resetCode(of stream: UInt32) async -> UInt32? {
        await next { $0.stream == stream && ($0.kind == .reset || $0.endsStream) }?.errorCode
    }

    /// Reads a stream until its data contain `text`.
    /// - Returns: false if the stream ends before.
    func receives(_ text: String, on stream: UInt32) async -> Bool {
        var data: [UInt8] = []
        while let frame = await next(where: { $0.stream == stream }) {
            if frame.kind == .data { data += frame.payload }
            if String(decoding: data, as: UTF8.self).contains(text) { return true }
            if frame.endsStream || frame.kind == .reset { return false }
        }
        return false
    }

    /// Whether the server responds to a request on this connection.
    func isServed() async -> Bool { await status(on: request("GET", "/health/live")) == "200" }

    /// All frames until the server closes the connection.
    func rest() async -> [HTTP2TestFrame] {
        var frames: [HTTP2TestFrame] = []
        while let frame = await next() { frames.append(frame) }
        return frames
    }
}

/// Reports the protocol that the handshake chose.
private final class NegotiationObserver: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let negotiated: EventLoopPromise<String?>

    init(_ negotiated: EventLoopPromise<String?>) { self.negotiated = negotiated }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .handshakeCompleted(let negotiatedProtocol) = event as? TLSUserEvent {
            negotiated.succeed(negotiatedProtocol)
        }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        negotiated.fail(ChannelError.eof)
        context.fireChannelInactive()
    }
}

/// Splits the received bytes into frames.
private final class FrameReader: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let frames: AsyncStream<HTTP2TestFrame>.Continuation
    private var bytes: [UInt8] = []
    private var decoder = HPACKDecoder(allocator: ByteBufferAllocator())

    init(_ frames: AsyncStream<HTTP2TestFrame>.Continuation) { self.frames = frames }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        bytes += unwrapInboundIn(data).readableBytesView
        while var frame = HTTP2TestFrame(removedFrom: &bytes) {
            if frame.kind == .headers {
                var block = ByteBuffer(bytes: frame.payload)
                frame.status = try? decoder.decodeHeaders(from: &block).first(name: ":status")
            }
            frames.yield(frame)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        frames.finish()
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
