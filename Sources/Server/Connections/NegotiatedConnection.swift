import HummingbirdCore
import Logging
import NIOCore
import NIOTLS

/// A connection over TLS that speaks the version of HTTP that its client chose in the handshake (ALPN, RFC 7301).
struct NegotiatedConnection: ServerChildChannel {
    /// The protocols in the order of preference. A client that names none of them speaks HTTP/1.1.
    static let protocols = ["h2", "http/1.1"]

    enum Version: Sendable {
        case http1(HTTP1Connection.Value)
        case http2(HTTP2Connection.Value)
    }

    struct Value: ServerChildChannelValue {
        let version: EventLoopFuture<Version>
        let channel: any Channel
    }

    let http1: HTTP1Connection
    let http2: HTTP2Connection

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture {
            let negotiation = NIOTypedApplicationProtocolNegotiationHandler<Version> { result, channel in
                guard case .negotiated("h2") = result else {
                    return http1.setup(channel: channel, logger: logger).map { .http1($0) }
                }
                return http2.setup(channel: channel, logger: logger).map { .http2($0) }
            }
            try channel.pipeline.syncOperations.addHandler(negotiation)
            return Value(version: negotiation.protocolNegotiationResult, channel: channel)
        }
    }

    func handle(value: Value, logger: Logger) async {
        do {
            switch try await value.version.get() {
            case .http1(let connection): await http1.handle(value: connection, logger: logger)
            case .http2(let connection): await http2.handle(value: connection, logger: logger)
            }
        } catch {
            logger.trace("A connection closed before its handshake was complete", metadata: ["error": "\(error)"])
        }
    }
}
