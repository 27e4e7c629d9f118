import HummingbirdCore
import Kernel
import Logging
import NIOCore
import NIOHTTP2
import NIOHTTPTypes
import NIOHTTPTypesHTTP2

/// An HTTP/2 connection (RFC 9113). Each of its streams is one request, with the limits of a slow client.
///
/// Hummingbird's channel for HTTP/2 has other limits and none for a slow client of a stream (docs/decisions/0049).
struct HTTP2Connection: ServerChildChannel {
    typealias Stream = HTTP1Channel.Value

    struct Value: ServerChildChannelValue {
        let streams: NIOHTTP2Handler.AsyncStreamMultiplexer<Stream>
        let channel: any Channel
    }

    /// Handles the request of a stream. Above the codec, a stream is a connection with one request.
    let request: HTTP1Channel
    let limits: ConnectionLimits
    /// Counts the open streams. Each may hold as much memory as a connection of HTTP/1.1.
    let counts: ConnectionCounts

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture {
            let sync = channel.pipeline.syncOperations
            let life = HTTP2ConnectionLife(idle: limits.idle, closing: limits.closing)
            let loopBound = NIOLoopBound(life, eventLoop: channel.eventLoop)
            let network = counts.network(of: channel)
            let streams = try sync.configureAsyncHTTP2Pipeline(
                mode: .server,
                // It sends GOAWAY. The time-outs are those of `HTTP2ConnectionLife`: those of this handler only ask the
                // client to close the connection, and begin with the first stream.
                connectionManagerConfiguration: .init(maxIdleTime: nil, maxAge: nil, maxGraceTime: nil, keepalive: nil),
                http2HandlerConfiguration: Self.configuration
            ) { stream in
                stream.eventLoop.makeCompletedFuture {
                    loopBound.value.add(stream)
                    return try setUp(stream, of: network)
                }
            }
            try sync.addHandler(life)
            return Value(streams: streams, channel: channel)
        }
    }

    private func setUp(_ stream: any Channel, of network: String?) throws -> Stream {
        let sync = stream.pipeline.syncOperations
        if !counts.add(stream, of: network) { try sync.addHandler(StreamRefusal()) }
        try sync.addHandlers(
            HTTP2FramePayloadToHTTPServerCodec(), ResponseGuard<HTTPResponsePart>(limits), StreamRequestGuard(limits))
        return try Stream(
            wrappingChannelSynchronously: stream, configuration: .init(isOutboundHalfClosureEnabled: true))
    }

    func handle(value: Value, logger: Logger) async {
        await withTaskCancellationHandler {
            await withDiscardingTaskGroup { group in
                do {
                    for try await stream in value.streams.inbound {
                        group.addTask { await request.handle(value: stream, logger: logger) }
                    }
                } catch {
                    logger.trace("An HTTP/2 connection failed", metadata: ["error": "\(error)"])
                }
            }
        } onCancel: {
            value.channel.close(promise: nil)
        }
    }

    private static let configuration: NIOHTTP2Handler.Configuration = {
        var configuration = NIOHTTP2Handler.Configuration()
        configuration.connection.initialSettings = [
            HTTP2Setting(parameter: .maxConcurrentStreams, value: Limits.http2Streams),
            HTTP2Setting(parameter: .maxHeaderListSize, value: Limits.headerBytes),
            HTTP2Setting(parameter: .initialWindowSize, value: Limits.http2StreamWindowBytes),
        ]
        configuration.connection.targetWindowSize = Limits.http2WindowBytes
        configuration.stream.targetWindowSize = Limits.http2StreamWindowBytes
        configuration.connection.maximumSequentialContinuationFrames = Limits.http2Continuations
        configuration.connection.maximumSequentialEmptyDataFrames = Limits.http2EmptyDataFrames
        configuration.connection.maximumBufferedControlFrames = Limits.http2BufferedControlFrames
        configuration.connection.maximumRecentlyResetStreams = Limits.http2Streams
        configuration.connection.controlFrameRateLimit.maximumCount = Limits.http2ControlFrames
        configuration.connection.controlFrameRateLimit.windowLength = .seconds(Limits.http2RateSeconds)
        configuration.stream.streamResetFrameRateLimit.maximumCount = Limits.http2Resets
        configuration.stream.streamResetFrameRateLimit.windowLength = .seconds(Limits.http2RateSeconds)
        return configuration
    }()
}

/// Resets a stream beyond a limit, before its request is processed, so that the client may send it again (RFC 9113,
/// 8.7).
private final class StreamRefusal: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame.FramePayload
    typealias OutboundOut = HTTP2Frame.FramePayload

    func channelActive(context: ChannelHandlerContext) {
        context.writeAndFlush(wrapOutboundOut(.rstStream(.refusedStream)), promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {}
}
