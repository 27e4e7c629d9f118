import NIOCore
import NIOHTTP1

/// Removes `Expect` from requests of HTTP/1.0: it must be ignored there, because a client of HTTP/1.0 knows no interim
/// responses (RFC 9110, 10.1.1).
final class ExpectationGuard: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(var head) = unwrapInboundIn(data), head.version == .http1_0 else {
            return context.fireChannelRead(data)
        }
        head.headers.remove(name: "Expect")
        context.fireChannelRead(wrapInboundOut(.head(head)))
    }
}
